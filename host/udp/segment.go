package udp

// MaxSegments is how many datagrams one [Message] may hold: the least that a kernel with UDP segmentation takes at once.
const MaxSegments = 64

// Cut takes the first size bytes off data; all of them when there are no more, or when size is 0.
func Cut(data []byte, size int) (head, rest []byte) {
	if size <= 0 || len(data) <= size {
		return data, nil
	}
	return data[:size:size], data[size:]
}

// together is how many bytes of datagrams of segment bytes the kernel can be given at once: it wants no more than
// MaxSegments of them, and all of them to fit into the longest datagram there is.
func together(segment int) int {
	return segment * max(1, min(MaxSegments, maxDatagram/max(segment, 1)))
}
