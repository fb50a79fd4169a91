package sandbox

import (
	"strconv"

	"github.com/yuin/gopher-lua/ast"
)

// plainAssignment rewrites assignments that gopher-lua 1.1.2 compiles wrongly, because it puts what it evaluates into the variable at
// once:
//
//   - several variables: a, b = b, a makes both the same;
//   - b = not a and c leaves b as it was where a is true;
//   - x = (f(x)), and so x = x .. "s", calls x where x is the only parameter; as does x = f(x), 1.
//
// They become do local v1, v2 = b, a; b = v2; a = v1 end, with local variables for the tables and keys on the left too, where an
// assigned name stands in one. Statements that are right as they are stay.
func plainAssignment(s *ast.AssignStmt) ast.Stmt {
	assigned, twice := make(map[string]bool), false // a, a = 1, 2: the first counts
	for _, lhs := range s.Lhs {
		if name, ok := lhs.(*ast.IdentExpr); ok {
			twice = twice || assigned[name.Value]
			assigned[name.Value] = true
		}
	}
	if len(s.Lhs) == 1 && len(s.Rhs) == 1 && (len(assigned) == 0 || !direct(s.Rhs[0])) {
		return s
	}
	places := false // a table or key on the left may change with a name that is assigned
	for _, lhs := range s.Lhs {
		if get, ok := lhs.(*ast.AttrGetExpr); ok && !(fixed(get.Object, assigned) && fixed(get.Key, assigned)) {
			places = true
		}
	}
	if len(s.Lhs) >= len(s.Rhs) && len(s.Lhs) > 1 && !places && !twice && (len(assigned) == 0 || constants(s.Rhs)) {
		return s
	}
	line := s.Line()
	body := make([]ast.Stmt, 0, len(s.Lhs)+2)
	hold := func(kind string, i int, e ast.Expr) ast.Expr {
		name := "(" + kind + strconv.Itoa(i) + ")"
		body = append(body, node(line, &ast.LocalAssignStmt{Names: []string{name}, Exprs: []ast.Expr{e}}))
		return node(line, &ast.IdentExpr{Value: name})
	}
	targets := make([]ast.Expr, len(s.Lhs))
	for i, lhs := range s.Lhs {
		targets[i] = lhs
		if get, ok := lhs.(*ast.AttrGetExpr); ok && places {
			targets[i] = node(get.Line(), &ast.AttrGetExpr{Object: hold("table", i, get.Object), Key: hold("key", i, get.Key)})
		}
	}
	values := make([]string, len(s.Lhs))
	for i := range values {
		values[i] = "(value" + strconv.Itoa(i) + ")"
	}
	body = append(body, node(line, &ast.LocalAssignStmt{Names: values, Exprs: s.Rhs}))
	for i := len(targets) - 1; i >= 0; i-- {
		value := node(line, &ast.IdentExpr{Value: values[i]})
		body = append(body, node(line, &ast.AssignStmt{Lhs: []ast.Expr{targets[i]}, Rhs: []ast.Expr{value}}))
	}
	return node(line, &ast.DoBlockStmt{Stmts: body})
}

// fixed tells whether an expression is a constant or a name that is not assigned.
func fixed(e ast.Expr, assigned map[string]bool) bool {
	switch e := e.(type) {
	case *ast.StringExpr, *ast.NumberExpr:
		return true
	case *ast.IdentExpr:
		return !assigned[e.Value]
	}
	return false
}

// direct tells whether an expression is wrong when it is evaluated in the variable itself.
func direct(e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.LogicalOpExpr:
		return true
	case *ast.FuncCallExpr:
		return e.AdjustRet
	}
	return false
}

// constants tells whether nothing is evaluated on the right but constants, or a single call or ... whose results are stored at the end.
func constants(es []ast.Expr) bool {
	if len(es) == 1 {
		switch e := es[0].(type) {
		case *ast.FuncCallExpr:
			return !e.AdjustRet
		case *ast.Comma3Expr:
			return !e.AdjustRet
		}
	}
	for _, e := range es {
		switch e.(type) {
		case *ast.StringExpr, *ast.NumberExpr, *ast.NilExpr, *ast.TrueExpr, *ast.FalseExpr:
		default:
			return false
		}
	}
	return true
}

// plainRepeat puts an instruction before the body of a repeat: gopher-lua 1.1.2 loses its way where the body begins with a jump
// (repeat if nil then ... else ... end until x).
func plainRepeat(s *ast.RepeatStmt) {
	first := node(s.Line(), &ast.LocalAssignStmt{Names: []string{"(repeat)"}, Exprs: []ast.Expr{node(s.Line(), &ast.NilExpr{})}})
	s.Stmts = append([]ast.Stmt{first}, s.Stmts...)
}
