package sandbox

import (
	"fmt"
	"strconv"

	"github.com/yuin/gopher-lua/ast"
)

const (
	// groupConstants is how many constants of a large table one function gets.
	groupConstants = 256
	// maxConstants is how many different constants one function may have.
	maxConstants = 10_000
)

// hoist corrects assignments, repeats and table constructors (plainAssignment, plainRepeat, plainConstructor), and spreads the fields of large ones over functions of their own. The compiler looks each constant up in a list of
// those that its function has, so a file of data (a thousand houses) would take it seconds. What is left with too many constants
// in one function is an error.
func hoist(chunk []ast.Stmt) error {
	h := hoister{}
	h.block(chunk)
	return countConstants(chunk)
}

// visitor is called for the parts of a statement or an expression.
type visitor struct {
	expr     func(at *ast.Expr)
	block    func(stmts []ast.Stmt) // in the same function
	function func(stmts []ast.Stmt) // a function's body
}

func (v visitor) exprs(es []ast.Expr) {
	for i := range es {
		v.expr(&es[i])
	}
}

func (v visitor) stmt(s ast.Stmt) {
	switch s := s.(type) {
	case *ast.AssignStmt:
		v.exprs(s.Lhs)
		v.exprs(s.Rhs)
	case *ast.LocalAssignStmt:
		v.exprs(s.Exprs)
	case *ast.FuncCallStmt:
		v.expr(&s.Expr)
	case *ast.DoBlockStmt:
		v.block(s.Stmts)
	case *ast.WhileStmt:
		v.expr(&s.Condition)
		v.block(s.Stmts)
	case *ast.RepeatStmt:
		v.block(s.Stmts)
		v.expr(&s.Condition)
	case *ast.IfStmt:
		v.expr(&s.Condition)
		v.block(s.Then)
		v.block(s.Else)
	case *ast.NumberForStmt:
		v.expr(&s.Init)
		v.expr(&s.Limit)
		if s.Step != nil {
			v.expr(&s.Step)
		}
		v.block(s.Stmts)
	case *ast.GenericForStmt:
		v.exprs(s.Exprs)
		v.block(s.Stmts)
	case *ast.FuncDefStmt:
		if s.Name.Func != nil {
			v.expr(&s.Name.Func)
		}
		if s.Name.Receiver != nil {
			v.expr(&s.Name.Receiver)
		}
		v.function(s.Func.Stmts)
	case *ast.ReturnStmt:
		v.exprs(s.Exprs)
	}
}

func (v visitor) parts(e ast.Expr) {
	switch e := e.(type) {
	case *ast.AttrGetExpr:
		v.expr(&e.Object)
		v.expr(&e.Key)
	case *ast.TableExpr:
		for _, f := range e.Fields {
			if f.Key != nil {
				v.expr(&f.Key)
			}
			v.expr(&f.Value)
		}
	case *ast.FuncCallExpr:
		if e.Func != nil {
			v.expr(&e.Func)
		}
		if e.Receiver != nil {
			v.expr(&e.Receiver)
		}
		v.exprs(e.Args)
	case *ast.LogicalOpExpr:
		v.expr(&e.Lhs)
		v.expr(&e.Rhs)
	case *ast.RelationalOpExpr:
		v.expr(&e.Lhs)
		v.expr(&e.Rhs)
	case *ast.ArithmeticOpExpr:
		v.expr(&e.Lhs)
		v.expr(&e.Rhs)
	case *ast.UnaryMinusOpExpr:
		v.expr(&e.Expr)
	case *ast.UnaryNotOpExpr:
		v.expr(&e.Expr)
	case *ast.UnaryLenOpExpr:
		v.expr(&e.Expr)
	case *ast.FunctionExpr:
		v.function(e.Stmts)
	}
}

// hoister measures expressions, innermost first, and splits the tables that are too large.
type hoister struct{ size size }

// size is what an expression asks of the function that it stands in.
type size struct {
	constants int
	varargs   bool // it needs the function's own ...
}

func (h *hoister) visitor() visitor {
	return visitor{expr: h.expr, block: h.block, function: func(stmts []ast.Stmt) {
		outer := h.size
		h.block(stmts)
		h.size = outer // it has constants of its own
	}}
}

func (h *hoister) block(stmts []ast.Stmt) {
	for i, s := range stmts {
		h.visitor().stmt(s)
		switch s := s.(type) {
		case *ast.AssignStmt:
			stmts[i] = plainAssignment(s)
		case *ast.RepeatStmt:
			plainRepeat(s)
		}
	}
}

func (h *hoister) expr(at *ast.Expr) {
	switch e := (*at).(type) {
	case *ast.NumberExpr, *ast.StringExpr, *ast.IdentExpr:
		h.size.constants++
	case *ast.Comma3Expr:
		h.size.varargs = true
	case *ast.TableExpr:
		if plainConstructor(at, e); *at != e {
			h.visitor().parts(*at)
			return
		}
		h.table(at, e)
	default:
		h.visitor().parts(e)
	}
}

func (h *hoister) table(at *ast.Expr, e *ast.TableExpr) {
	outer := h.size
	h.size = size{}
	ends := make([]int, len(e.Fields)) // constants up to and with each field
	for i, f := range e.Fields {
		if f.Key != nil {
			h.expr(&f.Key)
		}
		h.expr(&f.Value)
		ends[i] = h.size.constants
	}
	inside := h.size
	h.size = outer
	if inside.varargs || inside.constants <= 2*groupConstants || openEnded(e) {
		h.size.constants += inside.constants
		h.size.varargs = outer.varargs || inside.varargs
		return
	}
	*at = split(e, ends)
}

// tableName is the local variable that holds a table while it is built. No script can write it.
const tableName = "(table)"

// split makes (function() local t = {}; (function() t.a = ...; t.b = ... end)(); ...; return t end)().
func split(e *ast.TableExpr, ends []int) ast.Expr {
	line := e.Line()
	table := func(line int) ast.Expr { return node(line, &ast.IdentExpr{Value: tableName}) }
	body := []ast.Stmt{node(line, &ast.LocalAssignStmt{Names: []string{tableName}, Exprs: []ast.Expr{node(line, &ast.TableExpr{})}})}
	var group []ast.Stmt
	flush := func() {
		if len(group) > 0 {
			body = append(body, node(line, &ast.FuncCallStmt{Expr: callOf(line, group)}))
			group = nil
		}
	}
	index, begun := 0, 0
	for i, f := range e.Fields {
		key := f.Key
		if key == nil {
			index++
			key = node(f.Value.Line(), &ast.NumberExpr{Value: strconv.Itoa(index)})
		}
		line = f.Value.Line()
		target := node(line, &ast.AttrGetExpr{Object: table(line), Key: key})
		group = append(group, node(line, &ast.AssignStmt{Lhs: []ast.Expr{target}, Rhs: []ast.Expr{f.Value}}))
		if ends[i]-begun >= groupConstants {
			begun = ends[i]
			flush()
		}
	}
	flush()
	body = append(body, node(line, &ast.ReturnStmt{Exprs: []ast.Expr{table(line)}}))
	return callOf(e.Line(), body)
}

func callOf(line int, body []ast.Stmt) ast.Expr {
	fn := node(line, &ast.FunctionExpr{ParList: &ast.ParList{}, Stmts: body})
	return node(line, &ast.FuncCallExpr{Func: fn, AdjustRet: true})
}

// node gives a new node its line.
func node[N ast.PositionHolder](line int, n N) N {
	n.SetLine(line)
	n.SetLastLine(line)
	return n
}

// countConstants refuses a function with too many different constants.
func countConstants(stmts []ast.Stmt) (err error) {
	seen := make(map[any]struct{})
	var v visitor
	v.expr = func(at *ast.Expr) {
		switch e := (*at).(type) {
		case *ast.NumberExpr:
			seen[[1]string{e.Value}] = struct{}{}
		case *ast.StringExpr:
			seen[e.Value] = struct{}{}
		case *ast.IdentExpr:
			seen[e.Value] = struct{}{}
		}
		if len(seen) > maxConstants && err == nil {
			err = &lineError{(*at).Line(), fmt.Sprintf("a function has more than %d different names, numbers and strings; put the data in tables, or in files of their own", maxConstants)}
		}
		v.parts(*at)
	}
	v.block = func(stmts []ast.Stmt) {
		for _, s := range stmts {
			v.stmt(s)
		}
	}
	v.function = func(stmts []ast.Stmt) {
		if inner := countConstants(stmts); err == nil {
			err = inner
		}
	}
	v.block(stmts)
	return err
}

// lineError is a fault at a line.
type lineError struct {
	line int
	text string
}

func (e *lineError) Error() string { return e.text }
