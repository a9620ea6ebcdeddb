package turn

import (
	"context"
	"math"

	"webshell/composer"
	"webshell/internal/session"
)

// Step is a boundary between two steps of the turn, where it can take input.
// It closes the open block, claims what waits in the next-step lane, logs it,
// and returns it in order: these messages are part of the turn from now on.
func (o *Output) Step(ctx context.Context) ([]composer.Message, error) {
	if err := ctx.Err(); err != nil {
		return nil, context.Cause(ctx)
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	if err := o.write(); err != nil {
		return nil, err
	}
	taken, err := o.takeSteering()
	if err != nil {
		return nil, err
	}
	var messages []composer.Message
	for _, e := range taken {
		if _, ok := e.Payload.(session.UserMessage); !ok || o.steered[e.RPCID] {
			continue
		}
		o.steered[e.RPCID] = true
		messages = append(messages, composer.Message{Content: e.Content, Annotations: e.Annotations})
	}
	return messages, nil
}

func (o *Output) takeSteering() (taken []session.Event, err error) {
	tries := 0
	err = o.persist(func(ctx context.Context) (err error) {
		tries++
		taken, err = o.log.TakeSteering(ctx, o.lease)
		return err
	})
	if err != nil || tries == 1 {
		return taken, err
	}
	// A try whose answer was lost may have taken messages: what was logged as
	// seen by the agent must be seen. They are in the log.
	err = o.persist(func(ctx context.Context) (err error) {
		taken, err = o.log.History(ctx, o.lease, math.MaxInt64)
		return err
	})
	return steeringOf(taken, o.turnID), err
}

// steeringOf finds the steering messages of a turn in a session's log.
func steeringOf(log []session.Event, turnID string) []session.Event {
	var steering []session.Event
	running := false
	for _, e := range log {
		switch p := e.Payload.(type) {
		case session.TurnStarted:
			running = p.Turn == turnID
		case session.UserMessage:
			if running && p.Lane == session.LaneNextStep {
				steering = append(steering, e)
			}
		}
	}
	return steering
}
