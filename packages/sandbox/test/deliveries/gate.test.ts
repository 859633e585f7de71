import { expect, test } from 'vitest'
import { createGate, type Gate } from '../../src/deliveries/gate.ts'
import { abandonedFailure } from '../../src/deliveries/outcome.ts'

test('admits up to its limits, in total and per key', async () => {
  const gate = createGate({ perKey: 2, total: 3, waiting: 9 })
  const admitted = entering(gate, ['a', 'a', 'a', 'b', 'b'])
  await settle()
  expect(admitted.names).toEqual(['a1', 'a2', 'b4'])
})

test('admits waiters in order', async () => {
  const gate = createGate({ perKey: 1, total: 2, waiting: 9 })
  const admitted = entering(gate, ['a', 'b', 'a', 'c', 'b'])
  await settle()
  admitted.leave('b2')
  await settle()
  expect(admitted.names).toEqual(['a1', 'b2', 'c4'])
  admitted.leave('a1')
  admitted.leave('c4')
  await settle()
  expect(admitted.names).toEqual(['a1', 'b2', 'c4', 'a3', 'b5'])
})

test('refuses more waiters than its limit', async () => {
  const gate = createGate({ perKey: 1, total: 1, waiting: 1 })
  await gate.enter('a')
  void gate.enter('a')
  await expect(gate.enter('a')).rejects.toMatchObject({ reason: 'busy' })
})

test('refuses all waiters when it closes, and all later ones', async () => {
  const gate = createGate({ perKey: 1, total: 1, waiting: 1 })
  const leave = await gate.enter('a')
  const waiting = gate.enter('a')
  gate.close()
  await expect(waiting).rejects.toMatchObject({ reason: 'closed' })
  leave()
  await expect(gate.enter('a')).rejects.toMatchObject({ reason: 'closed' })
})

test('removes a waiter when its signal aborts, and reserves no place for it', async () => {
  const gate = createGate({ perKey: 1, total: 1, waiting: 1 })
  const leave = await gate.enter('a')
  const cut = new AbortController()
  const waiting = gate.enter('a', cut.signal)
  cut.abort(abandonedFailure())
  await expect(waiting).rejects.toMatchObject({ reason: 'abandoned' })
  leave()
  await expect(gate.enter('a', cut.signal)).rejects.toMatchObject({ reason: 'abandoned' })
  await gate.enter('a')
})

test('never loses a place', async () => {
  const gate = createGate({ perKey: 2, total: 3, waiting: 1_000 })
  let inside = 0
  let most = 0
  const visit = async (n: number) => {
    const leave = await gate.enter(`key ${n % 5}`)
    most = Math.max(most, ++inside)
    for (let wait = n % 7; wait > 0; wait -= 1) await null
    inside -= 1
    leave()
  }
  await Promise.all(Array.from({ length: 500 }, (_, n) => visit(n)))
  expect({ inside, most }).toEqual({ inside: 0, most: 3 })
})

/** Enters with each key. The result names the key and its order. */
function entering(gate: Gate, keys: string[]) {
  const names: string[] = []
  const leaving = new Map<string, () => void>()
  for (const [index, key] of keys.entries()) {
    const name = `${key}${index + 1}`
    void gate.enter(key).then((leave) => {
      names.push(name)
      leaving.set(name, leave)
    })
  }
  return { names, leave: (name: string) => leaving.get(name)?.() }
}

function settle(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}
