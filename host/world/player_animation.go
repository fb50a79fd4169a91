package world

import (
	_ "embed"
	"fmt"
	"slices"
	"strings"
	"time"

	"darqline/protocol"
	"darqline/resources/nearest"
)

// AnimationEnd is why an animation has ended: the reason of player_animation_end.
type AnimationEnd string

const (
	AnimationFinished AnimationEnd = "finished"
	AnimationReplaced AnimationEnd = "replaced"
	AnimationCleared  AnimationEnd = "cleared"
	AnimationKeys     AnimationEnd = "keys"
)

// Animation is what player:animate plays.
type Animation struct {
	Block, Name string  // of AnimationNames, in any case
	Speed       float32 // 0..10, 1 normal
	Progress    float32 // 0..1, where it starts
	Duration    time.Duration
	Blend       time.Duration // up to 5 s
	Flags       protocol.AnimationFlags
}

// RunningAnimation is a player's animation.
type RunningAnimation struct {
	ID          uint16
	Block, Name string
	Speed       float32
	Loop        bool
}

// animation is one that runs.
type animation struct {
	protocol.ApplyAnimation
	by     string
	began  time.Duration
	jumped time.Duration // since when Elapsed counts on
	shown  bool          // his frames have shown it
}

// PlayingAnimation is the applied animation that runs; false where none does.
func (tx Tx) PlayingAnimation(p *Player) (RunningAnimation, bool) {
	a := p.playing
	if a == nil {
		return RunningAnimation{}, false
	}
	return RunningAnimation{a.Animation, a.Block, a.Name, a.Speed, a.Flags&protocol.AnimationLoop != 0}, true
}

// Animate plays an animation on a living player and returns its id; one that runs is replaced. by is the resource: it is
// cleared when that stops. On an error nothing has changed.
func (tx Tx) Animate(p *Player, a Animation, by string) (uint16, error) {
	if err := p.alive(); err != nil {
		return 0, err
	}
	if p.seated() && a.Flags&protocol.AnimationUpperBody == 0 {
		return 0, fmt.Errorf("%w; only upper_body is possible", ErrSeated)
	}
	block, name, err := findAnimation(a.Block, a.Name)
	if err != nil {
		return 0, err
	}
	id := p.lastAni + 1
	if id == 0 {
		id = 1
	}
	m := protocol.ApplyAnimation{PlayerID: p.ID, PlayerToken: p.Token, Animation: id, Block: block, Name: name,
		Speed: a.Speed, Progress: a.Progress, Duration: uint32(a.Duration.Milliseconds()),
		Blend: uint16(a.Blend.Milliseconds()), Flags: a.Flags}
	if err := tx.present(p, &m); err != nil {
		return 0, err
	}
	tx.endAnimation(p, AnimationReplaced)
	now := tx.now()
	p.lastAni, p.playing = id, &animation{ApplyAnimation: m, by: by, began: now, jumped: now}
	return id, nil
}

// ClearAnimations ends the applied animation and the scripted task of a player's ped at once.
func (tx Tx) ClearAnimations(p *Player) error {
	if p.life == PreSpawn {
		return ErrNotSpawned
	}
	if err := tx.present(p, &protocol.ClearAnimations{PlayerID: p.ID, PlayerToken: p.Token}); err != nil {
		return err
	}
	tx.endAnimation(p, AnimationCleared)
	return nil
}

// errNoAnimation is about what needs one that runs.
var errNoAnimation = fmt.Errorf("no animation runs")

// SetAnimationProgress jumps within the running animation, 0..1.
func (tx Tx) SetAnimationProgress(p *Player, progress float32) error {
	a := p.playing
	if a == nil {
		return errNoAnimation
	}
	m := &protocol.SetAnimationProgress{PlayerID: p.ID, PlayerToken: p.Token, Animation: a.Animation, Progress: progress}
	if err := tx.present(p, m); err != nil {
		return err
	}
	a.Progress, a.Elapsed, a.jumped = progress, 0, tx.now()
	return nil
}

// SetAnimationSpeed changes the running animation's speed, 0..10; 0 holds it.
func (tx Tx) SetAnimationSpeed(p *Player, speed float32) error {
	a := p.playing
	if a == nil {
		return errNoAnimation
	}
	m := &protocol.SetAnimationSpeed{PlayerID: p.ID, PlayerToken: p.Token, Animation: a.Animation, Speed: speed}
	if err := tx.present(p, m); err != nil {
		return err
	}
	a.Elapsed, a.jumped = a.played(tx.now()), tx.now()
	a.Speed = speed
	return nil
}

// played is how long the animation has run at speed 1 since its progress was set, in ms.
func (a *animation) played(now time.Duration) uint32 {
	ms := float64(a.Elapsed) + float64(a.Speed)*float64((now-a.jumped).Milliseconds())
	return uint32(min(ms, 1<<32-1))
}

// animationPacket is the running animation as who comes later has to join in.
func (tx Tx) animationPacket(p *Player) *protocol.ApplyAnimation {
	now, a := tx.now(), p.playing
	m := a.ApplyAnimation
	m.Elapsed = a.played(now)
	if m.Duration > 0 {
		m.Duration = max(1, m.Duration-min(m.Duration, uint32((now-a.began).Milliseconds())))
	}
	return &m
}

// endAnimation notes that the applied animation has ended.
func (tx Tx) endAnimation(p *Player, reason AnimationEnd) {
	a := p.playing
	if a == nil {
		return
	}
	p.playing, p.body.Animation = nil, 0
	tx.post(PlayerAnimationEnd{p, a.Animation, a.Block, a.Name, reason})
}

// tickAnimation ends one whose time is over.
func (tx Tx) tickAnimation(p *Player) {
	if a := p.playing; a != nil && a.Duration > 0 && tx.now()-a.began >= time.Duration(a.Duration)*time.Millisecond {
		tx.endAnimation(p, AnimationFinished)
	}
}

// correctAnimation is the animation that a frame may show: the one that runs. Frames that have shown it and do not any
// more have ended it.
func (tx Tx) correctAnimation(p *Player, f *protocol.Frame) uint16 {
	a := p.playing
	switch {
	case a == nil:
		return 0
	case f.Animation == a.Animation:
		a.shown = true
		return f.Animation
	case a.shown:
		reason := AnimationFinished
		if a.Flags&protocol.AnimationKeys != 0 && (f.Keys != 0 || f.MoveX != 0 || f.MoveY != 0) {
			reason = AnimationKeys
		}
		tx.endAnimation(p, reason)
	}
	return 0
}

//go:embed player_animations.txt
var animationFile string

// animations are the game's: names by block, in capitals. Each line of the file is a block and its names.
var animations = func() map[string][]string {
	all := make(map[string][]string)
	for line := range strings.Lines(animationFile) {
		if words := strings.Fields(line); len(words) > 1 {
			all[words[0]] = words[1:]
		}
	}
	return all
}()

// AnimationBlocks are the blocks of the game's animations, sorted.
func AnimationBlocks() []string {
	list := make([]string, 0, len(animations))
	for block := range animations {
		list = append(list, block)
	}
	slices.Sort(list)
	return list
}

// AnimationNames are the names of a block's animations, sorted; an unknown block is an error that names the nearest.
func AnimationNames(block string) ([]string, error) {
	names, ok := animations[strings.ToUpper(block)]
	if !ok {
		return nil, unknown("block", block, AnimationBlocks())
	}
	return slices.Clone(names), nil
}

// findAnimation finds an animation as the game spells it.
func findAnimation(block, name string) (string, string, error) {
	block, name = strings.ToUpper(block), strings.ToUpper(name)
	names, ok := animations[block]
	if !ok {
		return "", "", unknown("block", block, AnimationBlocks())
	}
	if _, ok := slices.BinarySearch(names, name); !ok {
		return "", "", fmt.Errorf("block %q: %w", block, unknown("name", name, names))
	}
	return block, name, nil
}

// unknown says that a word is none of some, and which one was likely meant.
func unknown(what, word string, among []string) error {
	if near, ok := nearest.Name(word, among); ok {
		return fmt.Errorf("%s: unknown %q, did you mean %q?", what, word, near)
	}
	return fmt.Errorf("%s: unknown %q", what, word)
}
