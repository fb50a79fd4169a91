package sandbox

import (
	"strconv"

	"github.com/yuin/gopher-lua/ast"
)

// flushEvery is after how many items in a row the compiler moves them into the table that it constructs.
const flushEvery = 50

// plainConstructor rewrites what gopher-lua 1.1.2 compiles wrongly in a table constructor:
//
//   - a call as the value of the last key adds its results to the list: { 1, x = f() };
//   - a key right after 50 items (100, ...) writes over the first ones;
//   - the results of a call or ... right after 50 items are lost.
func plainConstructor(at *ast.Expr, e *ast.TableExpr) {
	given, open := e.Fields, openEnded(e)
	if open {
		given = given[:len(given)-1]
	}
	var fields, late []*ast.Field // late: until another item stands before them
	items := 0
	for _, f := range given {
		if f.Key == nil {
			items++
		} else if oneValue(f.Value); items > 0 && items%flushEvery == 0 {
			late = append(late, f)
			continue
		}
		fields = append(fields, f)
		if items%flushEvery != 0 {
			fields = append(fields, late...)
			late = nil
		}
	}
	if len(late) > 0 {
		empty := node(late[0].Value.Line(), &ast.NilExpr{})
		fields = append(append(fields, &ast.Field{Value: empty}), late...)
	}
	if open {
		last := e.Fields[len(given)]
		if items > 0 && items%flushEvery == 0 {
			*at = appended(e, items, last.Value)
		} else {
			fields = append(fields, last)
		}
	}
	e.Fields = fields
}

// oneValue keeps the first value of a call or of ... only.
func oneValue(e ast.Expr) {
	switch e := e.(type) {
	case *ast.FuncCallExpr:
		e.AdjustRet = true
	case *ast.Comma3Expr:
		e.AdjustRet = true
	}
}

// openEnded tells whether the last field may give several values.
func openEnded(e *ast.TableExpr) bool {
	if len(e.Fields) == 0 {
		return false
	}
	last := e.Fields[len(e.Fields)-1]
	if last.Key != nil {
		return false
	}
	switch v := last.Value.(type) {
	case *ast.FuncCallExpr:
		return !v.AdjustRet
	case *ast.Comma3Expr:
		return !v.AdjustRet
	}
	return false
}

// appended makes (function(t, ...) for i = 1, select("#", ...) do t[n + i] = (select(i, ...)) end return t end)(e, more).
func appended(e *ast.TableExpr, n int, more ast.Expr) ast.Expr {
	const index = "(index)"
	line := more.Line()
	name := func(s string) ast.Expr { return node(line, &ast.IdentExpr{Value: s}) }
	selected := func(what ast.Expr) ast.Expr {
		args := []ast.Expr{what, node(line, &ast.Comma3Expr{})}
		return node(line, &ast.FuncCallExpr{Func: name("select"), Args: args, AdjustRet: true})
	}
	number := func(i int) ast.Expr { return node(line, &ast.NumberExpr{Value: strconv.Itoa(i)}) }
	key := node(line, &ast.ArithmeticOpExpr{Operator: "+", Lhs: number(n), Rhs: name(index)})
	loop := node(line, &ast.NumberForStmt{
		Name: index, Init: number(1), Limit: selected(node(line, &ast.StringExpr{Value: "#"})),
		Stmts: []ast.Stmt{node(line, &ast.AssignStmt{
			Lhs: []ast.Expr{node(line, &ast.AttrGetExpr{Object: name(tableName), Key: key})},
			Rhs: []ast.Expr{selected(name(index))},
		})},
	})
	fn := node(line, &ast.FunctionExpr{
		ParList: &ast.ParList{HasVargs: true, Names: []string{tableName}},
		Stmts:   []ast.Stmt{loop, node(line, &ast.ReturnStmt{Exprs: []ast.Expr{name(tableName)}})},
	})
	return node(line, &ast.FuncCallExpr{Func: fn, Args: []ast.Expr{e, more}, AdjustRet: true})
}
