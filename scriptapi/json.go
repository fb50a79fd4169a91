package scriptapi

import (
	"darqline/scriptapi/bind"
	"darqline/scriptapi/sandbox/luajson"
)

// maxJSON is the largest text of mp.json, in bytes.
const maxJSON = 1 << 20

type jsonValueArgs struct {
	Value bind.Raw `lua:"value" doc:"A table, string, number, boolean, nil or mp.json.null."`
}

type jsonTextArgs struct {
	Text string `lua:"text" doc:"JSON in UTF-8."`
}

func (rt *Runtime) declareJSON(r *bind.Registry) {
	r.Module("mp.json", "JSON, by the rules of views: keys sorted, an empty table is [], whole numbers without fraction.").Add(
		bind.Func("encode", "Makes JSON of a value. What has no JSON is an error that names its path.", func(c *bind.Call, a jsonValueArgs) (string, error) {
			in := instanceOf(c)
			text, err := luajson.Encode(a.Value.V, luajson.Options{Limit: maxJSON, Values: in.json, Userdata: bind.JSON, Spend: in.state.Budget().Spend})
			return string(text), err
		}, bind.Example(`print(mp.json.encode({ 1, 2, name = nil }))`)),
		bind.Func("decode", "Reads JSON. A fault is an error with line and column.", func(c *bind.Call, a jsonTextArgs) (bind.Raw, error) {
			in := instanceOf(c)
			v, err := luajson.Decode(in.state.Lua(), in.json, a.Text, in.state.Budget().Spend)
			return bind.Raw{V: v}, err
		}, bind.Example(`local t = mp.json.decode('{"price": 180}')`)),
		bind.Func("object", "Marks a table as an object, so that an empty one becomes {}.", func(c *bind.Call, a jsonObjectArgs) (bind.Raw, error) {
			return a.Table, instanceOf(c).json.Object(a.Table.V)
		}),
		bind.Get("null", "Stands for null, because a table cannot hold nil.", func(c *bind.Call) bind.Raw {
			return bind.Raw{V: instanceOf(c).json.Null}
		}),
	)
}

type jsonObjectArgs struct {
	Table bind.Raw `lua:"table" doc:"A table without a metatable."`
}
