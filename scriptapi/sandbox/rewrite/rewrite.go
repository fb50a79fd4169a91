// Package rewrite prepares a parsed script for the compiler.
//
// The operator .. is one instruction of the virtual machine, and no library
// can limit it: s = s .. s doubles until the memory is gone. So each .. of the
// source becomes a call of a function that is handed to the chunk in a hidden
// parameter and that can pay, limit and format as the libraries do. What bounds
// a numeric for goes through another such function, which makes a number of a
// string, as Lua does and the machine does not; and t[k] = nil through a third,
// because a table of the machine keeps every key that it ever had. Number
// literals get Lua's meaning where the compiler has another (010 is ten), and
// what is nested too deeply for the compiler's stack is refused.
package rewrite

import (
	"fmt"
	"strconv"

	"github.com/yuin/gopher-lua/ast"

	"darqline/scriptapi/sandbox/number"
)

const (
	// MaxDepth is how deep statements and expressions may be nested.
	MaxDepth = 200
	// MaxBranches is how many elseif one if may have. It is not MaxDepth: a list of
	// commands is no deep nesting for its author, Lua has no limit, and the compiler
	// takes this many in milliseconds with a stack far from its end.
	MaxBranches = 1000
	// MaxChain is how many operands a .. b .. c may have.
	MaxChain = 1000
	// maxOperands of a chain are arguments of the call; more would not fit in the
	// registers of a function, so they come in a table { n = 51, a, b, c, ... }.
	maxOperands = 50
)

// The names of the chunk's parameters. No script can write them.
const (
	hidden      = ".."
	hiddenFor   = "for"
	hiddenClear = "nil"
)

// Error is a part of a source that cannot be compiled safely.
type Error struct {
	Line int
	Text string
}

func (e *Error) Error() string { return fmt.Sprintf("line %d: %s", e.Line, e.Text) }

// Chunk rewrites a parsed source in place and returns the chunk to compile. Run
// with the functions concat, bound and clear as its arguments, that chunk returns the script's
// main function, which takes the script's own arguments. Lines stay as they are.
// The concat function gets the operands of a chain, or those of a long one in one
// table, with their number as n. The bound function gets a value and returns it, or the
// number that a string stands for. The clear function gets a table and the key to remove.
func Chunk(stmts []ast.Stmt) (chunk []ast.Stmt, err error) {
	defer func() {
		if p := recover(); p != nil {
			fault, ok := p.(*Error)
			if !ok {
				panic(p)
			}
			chunk, err = nil, fault
		}
	}()
	var w walker
	w.block(stmts)
	return wrap(stmts), nil
}

// wrap makes "local .., for, nil = ...; return function(...) stmts end".
func wrap(stmts []ast.Stmt) []ast.Stmt {
	first, last := 1, 1
	if len(stmts) > 0 {
		first = stmts[0].Line()
		last = max(stmts[len(stmts)-1].LastLine(), stmts[len(stmts)-1].Line())
	}
	main := &ast.FunctionExpr{ParList: &ast.ParList{HasVargs: true}, Stmts: stmts}
	main.SetLine(first)
	main.SetLastLine(last + 1)
	args := &ast.Comma3Expr{}
	args.SetLine(first)
	param := &ast.LocalAssignStmt{Names: []string{hidden, hiddenFor, hiddenClear}, Exprs: []ast.Expr{args}}
	param.SetLine(first)
	ret := &ast.ReturnStmt{Exprs: []ast.Expr{main}}
	ret.SetLine(first)
	ret.SetLastLine(last + 1)
	return []ast.Stmt{param, ret}
}

// walker holds the nesting at the node it stands on.
type walker struct{ depth int }

func (w *walker) enter(n ast.PositionHolder) {
	w.depth++
	if w.depth > MaxDepth {
		panic(&Error{n.Line(), fmt.Sprintf("nested deeper than %d levels", MaxDepth)})
	}
}

func (w *walker) leave() { w.depth-- }

func (w *walker) block(stmts []ast.Stmt) {
	for i, s := range stmts {
		w.stmt(s)
		if get := cleared(s); get != nil {
			call := &ast.FuncCallStmt{Expr: call(s.Line(), hiddenClear, get.Object, get.Key)}
			call.SetLine(s.Line())
			call.SetLastLine(s.LastLine())
			stmts[i] = call
		}
	}
}

// cleared gives t[k] of the statement t[k] = nil; nil of every other one. A key that stands in the source is no new one each time.
func cleared(s ast.Stmt) *ast.AttrGetExpr {
	assign, ok := s.(*ast.AssignStmt)
	if !ok || len(assign.Lhs) != 1 || len(assign.Rhs) != 1 {
		return nil
	}
	get, ok := assign.Lhs[0].(*ast.AttrGetExpr)
	if _, none := assign.Rhs[0].(*ast.NilExpr); !ok || !none {
		return nil
	}
	switch get.Key.(type) {
	case *ast.StringExpr, *ast.NumberExpr:
		return nil
	}
	return get
}

func (w *walker) stmt(s ast.Stmt) {
	w.enter(s)
	defer w.leave()
	switch s := s.(type) {
	case *ast.AssignStmt:
		w.exprs(s.Lhs)
		w.exprs(s.Rhs)
	case *ast.LocalAssignStmt:
		w.exprs(s.Exprs)
	case *ast.FuncCallStmt:
		w.expr(&s.Expr)
	case *ast.DoBlockStmt:
		w.block(s.Stmts)
	case *ast.WhileStmt:
		w.expr(&s.Condition)
		w.block(s.Stmts)
	case *ast.RepeatStmt:
		w.block(s.Stmts)
		w.expr(&s.Condition)
	case *ast.IfStmt:
		w.branches(s)
	case *ast.NumberForStmt:
		w.expr(&s.Init)
		w.expr(&s.Limit)
		if s.Step != nil {
			w.expr(&s.Step)
			s.Step = bound(s.Step)
		}
		s.Init, s.Limit = bound(s.Init), bound(s.Limit)
		w.block(s.Stmts)
	case *ast.GenericForStmt:
		w.exprs(s.Exprs)
		w.block(s.Stmts)
	case *ast.FuncDefStmt:
		if s.Name.Func != nil {
			w.expr(&s.Name.Func)
		}
		if s.Name.Receiver != nil {
			w.expr(&s.Name.Receiver)
		}
		w.block(s.Func.Stmts)
	case *ast.ReturnStmt:
		w.exprs(s.Exprs)
	}
}

// branches walks an if and its elseif, each of which the parser nests in the
// else of the one before: a long chain is no deep nesting for its author.
func (w *walker) branches(s *ast.IfStmt) {
	for n := 0; ; n++ {
		if n > MaxBranches {
			panic(&Error{s.Line(), fmt.Sprintf("more than %d elseif in one if; look the value up in a table", MaxBranches)})
		}
		w.expr(&s.Condition)
		w.block(s.Then)
		next, ok := elseif(s)
		if !ok {
			w.block(s.Else)
			return
		}
		s = next
	}
}

func elseif(s *ast.IfStmt) (*ast.IfStmt, bool) {
	if len(s.Else) != 1 {
		return nil, false
	}
	next, ok := s.Else[0].(*ast.IfStmt)
	return next, ok
}

func (w *walker) exprs(es []ast.Expr) {
	for i := range es {
		w.expr(&es[i])
	}
}

func (w *walker) expr(at *ast.Expr) {
	w.enter(*at)
	defer w.leave()
	switch e := (*at).(type) {
	case *ast.NumberExpr:
		literal(e)
	case *ast.AttrGetExpr:
		w.expr(&e.Object)
		w.expr(&e.Key)
	case *ast.TableExpr:
		for _, f := range e.Fields {
			if f.Key != nil {
				w.expr(&f.Key)
			}
			w.expr(&f.Value)
		}
	case *ast.FuncCallExpr:
		if e.Func != nil {
			w.expr(&e.Func)
		}
		if e.Receiver != nil {
			w.expr(&e.Receiver)
		}
		w.exprs(e.Args)
	case *ast.LogicalOpExpr:
		w.expr(&e.Lhs)
		w.expr(&e.Rhs)
	case *ast.RelationalOpExpr:
		w.expr(&e.Lhs)
		w.expr(&e.Rhs)
	case *ast.StringConcatOpExpr:
		*at = w.concat(e)
	case *ast.ArithmeticOpExpr:
		w.expr(&e.Lhs)
		w.expr(&e.Rhs)
	case *ast.UnaryMinusOpExpr:
		w.expr(&e.Expr)
	case *ast.UnaryNotOpExpr:
		w.expr(&e.Expr)
	case *ast.UnaryLenOpExpr:
		w.expr(&e.Expr)
	case *ast.FunctionExpr:
		w.block(e.Stmts)
	}
}

// bound makes a call of the bound function, unless e can be no string.
func bound(e ast.Expr) ast.Expr {
	switch e.(type) {
	case *ast.NumberExpr, *ast.UnaryLenOpExpr, *ast.UnaryMinusOpExpr, *ast.ArithmeticOpExpr:
		return e
	}
	return call(e.Line(), hiddenFor, e)
}

// call makes a call of a hidden function that gives one value. It is no tail call (AdjustRet), so that an error keeps its line.
func call(line int, name string, args ...ast.Expr) *ast.FuncCallExpr {
	fn := &ast.IdentExpr{Value: name}
	fn.SetLine(line)
	c := &ast.FuncCallExpr{Func: fn, Args: args, AdjustRet: true}
	c.SetLine(line)
	c.SetLastLine(line)
	return c
}

// concat makes one call of a .. b .. c, which the parser has as a .. (b .. c).
func (w *walker) concat(e *ast.StringConcatOpExpr) ast.Expr {
	call := call(e.Line(), hidden)
	call.SetLastLine(e.LastLine())
	for {
		if call.Args = append(call.Args, e.Lhs); len(call.Args) >= MaxChain {
			panic(&Error{e.Line(), fmt.Sprintf("more than %d operands of .. in a row; use table.concat", MaxChain)})
		}
		next, ok := e.Rhs.(*ast.StringConcatOpExpr)
		if !ok {
			call.Args = append(call.Args, e.Rhs)
			break
		}
		e = next
	}
	w.exprs(call.Args)
	switch last := call.Args[len(call.Args)-1].(type) {
	case *ast.FuncCallExpr:
		last.AdjustRet = true
	case *ast.Comma3Expr:
		last.AdjustRet = true
	}
	if len(call.Args) > maxOperands {
		call.Args = []ast.Expr{packed(call.Args)}
	}
	return call
}

// packed makes the table { n = 51, a, b, c, ... }.
func packed(items []ast.Expr) ast.Expr {
	line := items[0].Line()
	key, n := &ast.StringExpr{Value: "n"}, &ast.NumberExpr{Value: strconv.Itoa(len(items))}
	key.SetLine(line)
	n.SetLine(line)
	table := &ast.TableExpr{Fields: []*ast.Field{{Key: key, Value: n}}}
	table.SetLine(line)
	for _, item := range items {
		table.Fields = append(table.Fields, &ast.Field{Value: item})
	}
	return table
}

// literal gives a number the text that the compiler reads as Lua would.
func literal(e *ast.NumberExpr) {
	f, ok := number.Parse(e.Value)
	if !ok {
		panic(&Error{e.Line(), fmt.Sprintf("malformed number near '%s'", e.Value)})
	}
	e.Value = strconv.FormatFloat(f, 'g', -1, 64)
}
