package sandbox

import "github.com/yuin/gopher-lua/ast"

// locals notes the local statements of a source, in its order.
type locals struct {
	recursive []bool // it is a local function
	last      string // token
}

func (l *locals) token(text string) {
	switch {
	case text == "local":
		l.recursive = append(l.recursive, false)
	case text == "function" && l.last == "local":
		l.recursive[len(l.recursive)-1] = true
	}
	l.last = text
}

// plainLocals corrects local f = function() ... f() ... end, where f is a variable from before: the tree is the same as that of
// local function f, and gopher-lua 1.1.2 always takes it for that, so that the function calls itself. With a second variable it is no more the same.
func plainLocals(stmts []ast.Stmt, l locals) {
	recursive := l.recursive
	var v visitor
	v.expr = func(at *ast.Expr) { v.parts(*at) }
	v.block = func(stmts []ast.Stmt) {
		for _, s := range stmts {
			if local, ok := s.(*ast.LocalAssignStmt); ok {
				if !recursive[0] && namesItself(local) {
					local.Names = append(local.Names, "(none)")
				}
				recursive = recursive[1:]
			}
			v.stmt(s)
		}
	}
	v.function = v.block
	v.block(stmts)
}

// namesItself tells whether a local function's body has its name.
func namesItself(s *ast.LocalAssignStmt) bool {
	if len(s.Names) != 1 || len(s.Exprs) != 1 {
		return false
	}
	fn, ok := s.Exprs[0].(*ast.FunctionExpr)
	if !ok {
		return false
	}
	found := false
	var v visitor
	v.expr = func(at *ast.Expr) {
		if name, ok := (*at).(*ast.IdentExpr); ok && name.Value == s.Names[0] {
			found = true
		}
		v.parts(*at)
	}
	v.block = func(stmts []ast.Stmt) {
		for _, s := range stmts {
			v.stmt(s)
		}
	}
	v.function = v.block
	v.block(fn.Stmts)
	return found
}
