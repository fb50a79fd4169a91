// Short tones. Before the first key or click a browser lets none be heard.

let audio = null;

/** beep(hertz, ms) */
export function beep(hertz, ms) {
  if (!navigator.userActivation?.hasBeenActive) return;
  audio ??= new AudioContext();
  const tone = audio.createOscillator(), volume = audio.createGain();
  const end = audio.currentTime + ms / 1000;
  tone.frequency.value = hertz;
  volume.gain.setValueAtTime(0.08, audio.currentTime);
  volume.gain.exponentialRampToValueAtTime(0.001, end);
  tone.connect(volume).connect(audio.destination);
  tone.start();
  tone.stop(end);
}
