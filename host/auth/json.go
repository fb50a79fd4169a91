package auth

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strconv"
	"unicode/utf8"
)

// maxDepth of what is read: an object in an object is 2 deep.
const maxDepth = 8

// object reads one JSON object and nothing behind it, in which no object has a key twice: readers differ in which of two
// they take, and what one of them has checked another would not use. Numbers are json.Number.
func object(data []byte) (map[string]any, error) {
	if !utf8.Valid(data) {
		return nil, errors.New("not UTF-8")
	}
	if !json.Valid(data) { // the decoder below is lenient between tokens, and stops at the first value's end
		return nil, errors.New("not JSON")
	}
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	v, err := value(d, 0)
	if err != nil {
		return nil, err
	}
	o, ok := v.(map[string]any)
	if !ok {
		return nil, errors.New("not a JSON object")
	}
	return o, nil
}

// value reads the next value, which is depth objects and arrays deep already.
func value(d *json.Decoder, depth int) (any, error) {
	t, err := d.Token()
	if err != nil {
		return nil, err
	}
	open, ok := t.(json.Delim)
	if !ok {
		return t, nil
	}
	if depth == maxDepth {
		return nil, fmt.Errorf("more than %d objects and arrays in each other", maxDepth)
	}
	if open == '[' {
		return array(d, depth+1)
	}
	o := make(map[string]any)
	for d.More() {
		t, err := d.Token()
		if err != nil {
			return nil, err
		}
		key := t.(string) // the data is valid
		if _, twice := o[key]; twice {
			return nil, fmt.Errorf("the key %s is there twice", short(key))
		}
		if o[key], err = value(d, depth+1); err != nil {
			return nil, err
		}
	}
	_, err = d.Token()
	return o, err
}

func array(d *json.Decoder, depth int) (any, error) {
	list := []any{}
	for d.More() {
		v, err := value(d, depth)
		if err != nil {
			return nil, err
		}
		list = append(list, v)
	}
	_, err := d.Token()
	return list, err
}

// number is a JSON number; one that is out of float64's range is infinite.
func number(v any) (float64, bool) {
	n, ok := v.(json.Number)
	if !ok {
		return 0, false
	}
	f, err := strconv.ParseFloat(n.String(), 64)
	if err != nil && !math.IsInf(f, 0) {
		return 0, false
	}
	return f, true
}

// plain gives v with its numbers as float64.
func plain(v any) any {
	switch v := v.(type) {
	case json.Number:
		f, _ := number(v)
		return f
	case []any:
		for i := range v {
			v[i] = plain(v[i])
		}
	case map[string]any:
		for k := range v {
			v[k] = plain(v[k])
		}
	}
	return v
}

// short quotes what somebody else wrote for the log, a little of it.
func short(s string) string {
	if len(s) > 64 {
		return fmt.Sprintf("%q...", s[:64])
	}
	return fmt.Sprintf("%q", s)
}
