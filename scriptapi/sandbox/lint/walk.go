package lint

import (
	"slices"
	"strings"

	"github.com/yuin/gopher-lua/ast"

	"darqline/resources/strict"
)

// walker walks over one file. The compiler has limited its nesting already.
type walker struct {
	*survey
	file   string
	scope  *scope
	inside int // functions around this place
}

func (w *walker) at(line int, path string) use {
	return use{file: w.file, line: line, path: path, inside: w.inside > 0}
}

// nested walks stmts in a scope of their own that begins with names.
func (w *walker) nested(stmts []ast.Stmt, names ...string) {
	w.scope = &scope{outer: w.scope}
	for _, name := range names {
		w.scope.declare(name, "")
	}
	w.block(stmts)
	w.scope = w.scope.outer
}

func (w *walker) block(stmts []ast.Stmt) {
	for _, s := range stmts {
		w.stmt(s)
	}
}

func (w *walker) stmt(s ast.Stmt) {
	switch s := s.(type) {
	case *ast.AssignStmt:
		w.exprs(s.Rhs)
		for _, target := range s.Lhs {
			w.assign(target)
		}
	case *ast.LocalAssignStmt:
		w.localAssign(s)
	case *ast.FuncCallStmt:
		w.expr(s.Expr)
	case *ast.DoBlockStmt:
		w.nested(s.Stmts)
	case *ast.WhileStmt:
		w.expr(s.Condition)
		w.nested(s.Stmts)
	case *ast.RepeatStmt:
		w.scope = &scope{outer: w.scope}
		w.block(s.Stmts)
		w.expr(s.Condition) // sees the locals of the body
		w.scope = w.scope.outer
	case *ast.IfStmt:
		w.expr(s.Condition)
		w.nested(s.Then)
		w.nested(s.Else)
	case *ast.NumberForStmt:
		w.expr(s.Init)
		w.expr(s.Limit)
		w.expr(s.Step)
		w.nested(s.Stmts, s.Name)
	case *ast.GenericForStmt:
		w.exprs(s.Exprs)
		w.nested(s.Stmts, s.Names...)
	case *ast.FuncDefStmt:
		w.funcDef(s)
	case *ast.ReturnStmt:
		w.exprs(s.Exprs)
	}
}

func (w *walker) localAssign(s *ast.LocalAssignStmt) {
	if len(s.Names) == 1 && len(s.Exprs) == 1 {
		if f, ok := s.Exprs[0].(*ast.FunctionExpr); ok {
			w.scope.declare(s.Names[0], "") // a function sees its own name
			w.function(f)
			return
		}
	}
	w.exprs(s.Exprs)
	for i, name := range s.Names {
		path := ""
		if i < len(s.Exprs) {
			path = w.path(s.Exprs[i])
		}
		w.scope.declare(name, path)
	}
}

func (w *walker) funcDef(s *ast.FuncDefStmt) {
	if s.Name.Func != nil {
		w.assign(s.Name.Func)
		w.function(s.Func)
		return
	}
	w.member(s.Name.Receiver, s.Name.Method, s.Line(), true)
	w.expr(s.Name.Receiver)
	w.function(s.Func, "self")
}

func (w *walker) function(f *ast.FunctionExpr, names ...string) {
	w.inside++
	names = append(names, f.ParList.Names...)
	if f.ParList.HasVargs {
		names = append(names, "arg")
	}
	w.nested(f.Stmts, names...)
	w.inside--
}

// assign walks the target of an assignment.
func (w *walker) assign(target ast.Expr) {
	switch target := target.(type) {
	case *ast.IdentExpr:
		if l := w.scope.find(target.Value); l != nil {
			l.path = ""
			return
		}
		w.set(target.Value, target.Line())
	case *ast.AttrGetExpr:
		key, constant := target.Key.(*ast.StringExpr)
		if constant && w.isGlobals(target.Object) {
			w.set(key.Value, target.Line())
			return
		}
		if constant {
			w.member(target.Object, key.Value, target.Line(), true)
		}
		w.expr(target.Object)
		w.expr(target.Key)
	}
}

// set remembers the first place that sets a global, and prefers one outside of
// functions: such a global is meant.
func (w *walker) set(name string, line int) {
	if old := w.sets[name]; old == nil || old.inside && w.inside == 0 {
		u := w.at(line, name)
		w.sets[name] = &u
	}
}

func (w *walker) isGlobals(e ast.Expr) bool {
	name, ok := e.(*ast.IdentExpr)
	return ok && name.Value == "_G" && w.scope.find("_G") == nil
}

func (w *walker) exprs(es []ast.Expr) {
	for _, e := range es {
		w.expr(e)
	}
}

func (w *walker) expr(e ast.Expr) {
	switch e := e.(type) {
	case *ast.IdentExpr:
		w.read(e)
	case *ast.AttrGetExpr:
		w.attr(e)
	case *ast.TableExpr:
		for _, f := range e.Fields {
			w.expr(f.Key)
			w.expr(f.Value)
		}
	case *ast.FuncCallExpr:
		w.call(e)
	case *ast.LogicalOpExpr:
		w.test(e.Lhs)
		w.expr(e.Rhs)
	case *ast.RelationalOpExpr:
		if isNil(e.Lhs) || isNil(e.Rhs) {
			w.test(e.Lhs)
			w.test(e.Rhs)
			return
		}
		w.expr(e.Lhs)
		w.expr(e.Rhs)
	case *ast.StringConcatOpExpr:
		w.expr(e.Lhs)
		w.expr(e.Rhs)
	case *ast.ArithmeticOpExpr:
		w.expr(e.Lhs)
		w.expr(e.Rhs)
	case *ast.UnaryMinusOpExpr:
		w.expr(e.Expr)
	case *ast.UnaryNotOpExpr:
		w.test(e.Expr)
	case *ast.UnaryLenOpExpr:
		w.expr(e.Expr)
	case *ast.FunctionExpr:
		w.function(e)
	}
}

func isNil(e ast.Expr) bool {
	_, ok := e.(*ast.NilExpr)
	return ok
}

// test walks an expression that is asked whether it is there: a name that is not
// is no fault (local unpack = table.unpack or unpack).
func (w *walker) test(e ast.Expr) {
	switch e := e.(type) {
	case *ast.IdentExpr:
		return
	case *ast.AttrGetExpr:
		w.test(e.Object)
		if _, constant := e.Key.(*ast.StringExpr); !constant {
			w.expr(e.Key)
		}
	default:
		w.expr(e)
	}
}

func (w *walker) read(e *ast.IdentExpr) {
	if w.scope.find(e.Value) != nil {
		return
	}
	if e.Value == "_G" {
		w.dynamic = true // the table itself is handed on: anything may be set in it
		return
	}
	u := w.at(e.Line(), e.Value)
	u.known = w.scope.names()
	w.reads = append(w.reads, u)
}

func (w *walker) attr(e *ast.AttrGetExpr) {
	key, constant := e.Key.(*ast.StringExpr)
	if w.isGlobals(e.Object) && constant {
		return // _G.name asks whether there is one
	}
	w.expr(e.Object)
	w.expr(e.Key)
	if constant {
		w.member(e.Object, key.Value, e.Line(), false)
	}
}

// member checks the member of a table of the catalogue. Where it is set, the
// libraries get a new member; mp does not.
func (w *walker) member(object ast.Expr, name string, line int, set bool) {
	path := w.path(object)
	members := w.lookup(path)
	if members == nil {
		return
	}
	if _, ok := members[name]; ok {
		return
	}
	if set && root(path) != "mp" {
		w.added[path+"."+name] = true
		return
	}
	u := w.at(line, path+"."+name)
	u.suspects = members.names()
	w.members = append(w.members, u)
}

// path gives the path of the catalogue that an expression names, "" for none.
func (w *walker) path(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.IdentExpr:
		if l := w.scope.find(e.Value); l != nil {
			return l.path
		}
		if _, ok := w.Globals[e.Value]; ok {
			return e.Value
		}
	case *ast.AttrGetExpr:
		key, constant := e.Key.(*ast.StringExpr)
		if path := w.path(e.Object); constant && path != "" {
			if _, ok := w.lookup(path)[key.Value]; ok {
				return path + "." + key.Value
			}
		}
	}
	return ""
}

// lookup gives the members at a path; nil: not known.
func (w *walker) lookup(path string) Members {
	if path == "" {
		return nil
	}
	m := w.Globals
	for name := range strings.SplitSeq(path, ".") {
		m = m[name]
	}
	return m
}

func (w *walker) call(e *ast.FuncCallExpr) {
	if e.Receiver != nil {
		w.expr(e.Receiver)
		w.method(e)
		w.exprs(e.Args)
		return
	}
	w.expr(e.Func)
	path := w.path(e.Func)
	if path == "type" && len(e.Args) == 1 {
		w.test(e.Args[0])
		return
	}
	if len(e.Args) > 0 {
		switch name, constant := e.Args[0].(*ast.StringExpr); {
		case constant && path == "mp.on":
			w.event(name)
		case constant && path == "require":
			w.require(name)
		}
	}
	w.exprs(e.Args)
}

// method checks a call with a colon. The functions in the tables of the catalogue
// want a dot: none of them takes its table.
func (w *walker) method(e *ast.FuncCallExpr) {
	w.member(e.Receiver, e.Method, e.Line(), false)
	path := w.path(e.Receiver)
	if _, ok := w.lookup(path)[e.Method]; ok {
		u := w.at(e.Line(), path)
		u.colon = e.Method
		w.members = append(w.members, u)
	}
}

// event checks the name in mp.on("name", ...). Names with a colon are the
// resources' own.
func (w *walker) event(name *ast.StringExpr) {
	if !strings.Contains(name.Value, ":") && !slices.Contains(w.Events, name.Value) {
		w.fault(w.at(name.Line(), ""), "there is no event %q%s", name.Value, strict.Meant(name.Value, w.Events))
	}
}

// require checks that the resource has the file.
func (w *walker) require(name *ast.StringExpr) {
	if !slices.Contains(w.modules, name.Value) {
		w.fault(w.at(name.Line(), ""), "there is no file for require %q%s", name.Value, strict.Meant(name.Value, w.modules))
	}
}
