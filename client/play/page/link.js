// The socket to the play program: JSON messages each way, frames of players in binary ones, and it connects again by
// itself.

const FIRST_PAUSE = 500;
const LONGEST_PAUSE = 5000;

/** connect({ message(message), frames(buffer), up(), down() }) -> send(message) */
export function connect({ message, frames, up, down }) {
  let socket = null;
  let pause = FIRST_PAUSE;

  function open() {
    socket = new WebSocket(`ws://${location.host}/ws`);
    socket.binaryType = "arraybuffer";
    socket.addEventListener("open", () => { pause = FIRST_PAUSE; up(); });
    socket.addEventListener("message", ({ data }) => {
      if (typeof data === "string") message(JSON.parse(data));
      else frames(data);
    });
    socket.addEventListener("close", () => {
      down();
      setTimeout(open, pause);
      pause = Math.min(pause * 2, LONGEST_PAUSE);
    });
  }
  open();

  return (request) => {
    if (socket.readyState === WebSocket.OPEN) socket.send(JSON.stringify(request));
  };
}
