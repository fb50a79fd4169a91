-- Wireshark dissector of DarqlineMP, protocol @VERSION@. It is made from the packets' layouts by "darqline dissector".
--
-- Put this file into the folder of Personal Lua Plugins (Help, About Wireshark, Folders), or call
--   tshark -X lua_script:darqline.lua -r run.pcapng
--
-- What goes from and to the ports of the preference (7777) is dissected, and every connection whose ClientHello is
-- seen, on any port. For one that was under way before the capture began use Decode As.
--
-- A field is darqline.PACKET.FIELD, and darqline.STRUCTURE.FIELD in a structure that packets share. Ids and generations
-- have one name in all packets: darqline.player_id == 7 finds all that is about player 7.

local VERSION = @VERSION@
local darqline = Proto("darqline", "DarqlineMP")

local groups, severities = expert.group, expert.severity

-- What breaks a layout. The rules for values are in the descriptions of the fields.
local function fault(name, text, group, severity)
	return ProtoExpert.new("darqline." .. name, text, group, severity)
end

local wrong_size = fault("wrong_size", "Wrong size", groups.MALFORMED, severities.ERROR)
local unknown_id = fault("unknown_id", "Unknown packet_id", groups.UNDECODED, severities.ERROR)
local wrong_way = fault("wrong_direction", "Wrong direction", groups.PROTOCOL, severities.ERROR)
local nonzero = fault("nonzero", "A byte that must be zero is not", groups.PROTOCOL, severities.WARN)
local zero_token = fault("zero_token", "The session token is 0", groups.PROTOCOL, severities.ERROR)
local other_version = fault("other_version", "Another revision of the protocol", groups.PROTOCOL, severities.WARN)
darqline.experts = {wrong_size, unknown_id, wrong_way, nonzero, zero_token, other_version}

---- Fields

local all, made = {}, {}

-- field makes a field once; packets share ids and structures.
local function field(kind, abbrev, ...)
	abbrev = "darqline." .. abbrev
	if not made[abbrev] then
		made[abbrev] = ProtoField[kind](abbrev, ...)
		all[#all + 1] = made[abbrev]
	end
	return made[abbrev]
end

local packet_name = field("string", "packet", "packet")
local direction = field("string", "direction", "direction")
local lane = field("string", "lane", "lane")
local rest = field("bytes", "rest", "rest")
local zero_bytes = field("bytes", "padding", "padding")

---- Nodes: a layout is a list of functions that each take their bytes from a walk w, add them to the tree, and tell
---- whether there were enough.

-- take is the next n bytes.
local function take(w, n, name)
	if w.at + n > w.buf:len() then
		w.root:add_proto_expert_info(wrong_size, "The packet ends in " .. name)
		return nil
	end
	local range = w.buf(w.at, n)
	w.at = w.at + n
	return range
end

-- show labels an element of a list with its index.
local function show(w, item)
	if w.index then
		item:prepend_text("[" .. w.index .. "] ")
		w.index = nil
	end
	return item
end

local function check_zeros(item, range)
	if range:bytes():tohex():find("[^0]") then
		item:add_proto_expert_info(nonzero)
	end
end

local function zeros(n)
	return function(w, tree)
		local range = take(w, n, "padding")
		if range then
			check_zeros(tree:add(zero_bytes, range), range)
		end
		return range
	end
end

local scalars = {
	u8 = {"uint8", 1}, u16 = {"uint16", 2}, u32 = {"uint32", 4}, u64 = {"uint64", 8},
	i8 = {"int8", 1}, i16 = {"int16", 2}, i32 = {"int32", 4},
	bool = {"bool", 1}, f32 = {"float", 4}, f64 = {"double", 8},
}

-- number is one number. Its value is kept as w.numbers[keep] where later fields depend on it.
local function number(kind, abbrev, name, about, keep, words, hex)
	local make, size = scalars[kind][1], scalars[kind][2]
	local f
	if make == "float" or make == "double" then
		f = field(make, abbrev, name, nil, about)
	elseif make == "bool" then
		f = field(make, abbrev, name, base.NONE, nil, nil, about)
	else
		f = field(make, abbrev, name, hex and base.HEX or base.DEC, words, nil, about)
	end
	return function(w, tree)
		local range = take(w, size, name)
		if range then
			show(w, tree:add_le(f, range))
			if keep then
				w.numbers[keep] = range:le_uint()
			end
		end
		return range
	end
end

local function token()
	local f = field("uint64", "token", "token", base.HEX)
	return function(w, tree)
		local range = take(w, 8, "token")
		if range then
			local item = tree:add_le(f, range)
			if not range:bytes():tohex():find("[^0]") then
				item:add_proto_expert_info(zero_token)
			end
		end
		return range
	end
end

-- vector is several f32, each a field of its own below.
local function vector(abbrev, name, about, axes)
	local f = field("none", abbrev, name, about)
	local parts = {}
	for i, axis in ipairs(axes) do
		parts[i] = field("float", abbrev .. "." .. axis, axis)
	end
	return function(w, tree)
		local range = take(w, 4 * #parts, name)
		if range then
			local item, values = tree:add(f, range), {}
			for i, part in ipairs(parts) do
				local axis = range(4 * i - 4, 4)
				item:add_le(part, axis)
				values[i] = string.format("%.7g", axis:le_float())
			end
			item:append_text(": " .. table.concat(values, " "))
			show(w, item)
		end
		return range
	end
end

local function vec3(abbrev, name, about)
	return vector(abbrev, name, about, {"x", "y", "z"})
end

local function quat(abbrev, name, about)
	return vector(abbrev, name, about, {"x", "y", "z", "w"})
end

local REST = {} -- the size of what takes all that remains

-- bytes is any bytes: n, REST, or as many as an earlier field says.
local function bytes(abbrev, name, about, n)
	local f = field("bytes", abbrev, name, base.NONE, about)
	return function(w, tree)
		local size = n == REST and w.buf:len() - w.at or w.numbers[n] or n
		local range = take(w, size, name)
		if range then
			show(w, tree:add(f, range))
		end
		return range
	end
end

local function rgba(abbrev, name, about)
	return bytes(abbrev, name, about, 4)
end

-- utf8 is the first n bytes of a range as text.
local function utf8(range, n)
	return n > 0 and range(0, n):string(ENC_UTF_8) or ""
end

-- text is a text and zeros up to n bytes. The text ends at its first NUL, or is as long as an earlier field says.
local function text(abbrev, name, about, n, by)
	local f = field("string", abbrev, name, base.UNICODE, about)
	return function(w, tree)
		local range = take(w, n, name)
		if range then
			local stop = range:raw():find("\0", 1, true)
			local used = by and math.min(w.numbers[by], n) or stop and stop - 1 or n
			local item = show(w, tree:add(f, range, utf8(range, used)))
			if used < n then
				check_zeros(item, range(used))
			end
		end
		return range
	end
end

-- raw is text of any bytes in a room of n.
local function raw(abbrev, name, about, n)
	local f = field("string", abbrev, name, base.UNICODE, about)
	return function(w, tree)
		local range = take(w, n, name)
		if range then
			show(w, tree:add(f, range, utf8(range, #range:raw():gsub("\0+$", ""))))
		end
		return range
	end
end

-- piece is a text that fills the bytes which an earlier field says.
local function piece(abbrev, name, about, by)
	local f = field("string", abbrev, name, base.UNICODE, about)
	return function(w, tree)
		local range = take(w, w.numbers[by], name)
		if range then
			show(w, tree:add(f, range, utf8(range, range:len())))
		end
		return range
	end
end

-- str is a text behind its length, which has one or two bytes.
local function str(prefix, abbrev, name, about)
	local f = field("string", abbrev, name, base.UNICODE, about)
	return function(w, tree)
		local start = w.at
		local head = take(w, prefix, name)
		local body = head and take(w, head:le_uint(), name)
		if body then
			show(w, tree:add(f, w.buf(start, w.at - start), utf8(body, body:len())))
		end
		return body
	end
end

-- walk takes a layout.
local function walk(w, tree, layout)
	for _, node in ipairs(layout) do
		if not node(w, tree) then
			return false
		end
	end
	return true
end

-- group takes a layout into a subtree.
local function group(w, tree, f, label, layout)
	local start = w.at
	if start == w.buf:len() then
		return walk(w, tree, layout)
	end
	local item = tree:add(f, w.buf(start))
	if label then
		item:set_text(label)
	end
	local ok = walk(w, item, layout)
	item:set_len(w.at - start)
	return ok
end

-- struct is a structure, or what fills the bytes that an earlier field says: nothing where they are 0.
local function struct(abbrev, name, about, layout, by)
	local f = field("none", abbrev, name, about)
	return function(w, tree)
		return by and w.numbers[by] == 0 or group(w, tree, f, nil, layout)
	end
end

-- list is elements: how.count, as many as the field how.by says, or as many as fill the bytes that how.fills says. In
-- how.room bytes the rest is zeros. An element of one node has no subtree, and the list then no field.
local function list(abbrev, name, about, how, layout)
	local f = abbrev and field("none", abbrev, name, about)
	return function(w, tree)
		local start = w.at
		local count = how.count or w.numbers[how.by] or math.huge
		local stop = how.fills and start + w.numbers[how.fills] or math.huge
		local i = 0
		while i < count and w.at < stop do
			local ok
			if not f then
				w.index = i
				ok = layout[1](w, tree)
				w.index = nil
			else
				ok = group(w, tree, f, name .. "[" .. i .. "]", layout)
			end
			if not ok then
				return false
			end
			i = i + 1
		end
		local left = how.room and start + how.room - w.at or 0
		if left < 0 then
			w.root:add_proto_expert_info(wrong_size, string.format("%s has no room for %d elements", name, count))
			return false
		end
		return left == 0 or zeros(left)(w, tree)
	end
end

-- union is the layout that an earlier field chooses, from 0 on.
local function union(by, layouts)
	return function(w, tree)
		local layout = layouts[w.numbers[by] + 1]
		if not layout then
			w.root:add_proto_expert_info(wrong_size, string.format("%s %d has no layout", by, w.numbers[by]))
			return false
		end
		return walk(w, tree, layout)
	end
end

---- Packets

local packets = {}
local TO_SERVER, TO_CLIENT = "Client → Server", "Server → Client"

-- packet declares one: least and most are its bytes, event is where its event_id stands.
local function packet(id, name, way, on, least, most, event, layout)
	packets[id] = {name = name, way = way, lane = on, least = least, most = most, event = event, layout = layout}
end

@PACKETS@
darqline.fields = all

---- Dissecting

local QUERY, ANSWER = 0xFF, "answer" -- the server query has one id both ways, and a magic each

local ports = {}   -- ranges of the preference
local servers = {} -- other ports that a ClientHello went to

local function is_server(port)
	for _, range in ipairs(ports) do
		if port >= range[1] and port <= range[2] then
			return true
		end
	end
	return servers[port] or false
end

-- check_way faults a packet that comes from the wrong side of a known server port.
local function check_way(item, p, pinfo)
	local to, from = is_server(pinfo.dst_port), is_server(pinfo.src_port)
	if to ~= from and to ~= (p.way == TO_SERVER) then
		item:add_proto_expert_info(wrong_way, p.name .. " goes " .. p.way)
	end
end

local function check_head(item, p, buf)
	local size = buf:len()
	if size < p.least or size > p.most then
		local want = p.least == p.most and p.least or p.least .. ".." .. p.most
		item:add_proto_expert_info(wrong_size, size .. " bytes instead of " .. want)
	end
	if p.name == "ClientHello" and size >= 3 and buf(1, 2):le_uint() ~= VERSION then
		item:add_proto_expert_info(other_version, string.format("Revision %d; this dissector is of %d", buf(1, 2):le_uint(), VERSION))
	end
end

local function lookup(buf)
	local id = buf(0, 1):uint()
	if id == QUERY and buf:len() >= 5 and buf(1, 4):raw() == "DQRS" then
		id = ANSWER
	end
	return packets[id]
end

function darqline.dissector(buf, pinfo, root)
	if buf:len() == 0 then
		return 0
	end
	pinfo.cols.protocol = "DarqlineMP"
	local item = root:add(darqline, buf())
	local p = lookup(buf)
	if not p then
		local text = string.format("Unknown packet_id 0x%02X", buf(0, 1):uint())
		pinfo.cols.info = text
		item:add_proto_expert_info(unknown_id, text)
		return buf:len()
	end
	local info = p.name
	if p.event and buf:len() >= p.event + 4 then
		info = info .. ", event " .. buf(p.event, 4):le_uint()
	end
	pinfo.cols.info = info
	item:append_text(", " .. info)
	item:add(packet_name, p.name):set_generated()
	item:add(direction, p.way):set_generated()
	item:add(lane, p.lane):set_generated()
	check_way(item, p, pinfo)
	check_head(item, p, buf)
	local w = {buf = buf, at = 0, numbers = {}, root = item}
	if walk(w, item, p.layout) and w.at < buf:len() then
		item:add(rest, buf(w.at)):add_proto_expert_info(wrong_size, buf:len() - w.at .. " bytes too many")
	end
	return buf:len()
end

-- A ClientHello of this revision is known on any port, and its connection with it.
darqline:register_heuristic("udp", function(buf, pinfo, root)
	local hello = packets[1]
	if buf:len() ~= hello.most or buf(0, 1):uint() ~= 1 or buf(1, 2):le_uint() ~= VERSION then
		return false
	end
	servers[pinfo.dst_port] = true
	pinfo.conversation = darqline
	darqline.dissector(buf, pinfo, root)
	return true
end)

darqline.prefs.ports = Pref.range("UDP ports", "7777", "Ports of servers, such as 7777,7800-7810", 65535)

local bound
local function bind()
	local udp = DissectorTable.get("udp.port")
	if bound then
		udp:remove(bound, darqline)
	end
	bound = tostring(darqline.prefs.ports)
	ports = {}
	for first, last in bound:gmatch("(%d+)%-?(%d*)") do
		ports[#ports + 1] = {tonumber(first), tonumber(last) or tonumber(first)}
	end
	if bound == "" then
		bound = nil
	else
		udp:add(bound, darqline)
	end
end

darqline.prefs_changed = bind
function darqline.init()
	servers = {}
end
bind()
DissectorTable.get("udp.port"):add_for_decode_as(darqline)
