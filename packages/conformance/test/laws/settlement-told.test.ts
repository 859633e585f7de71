import { expect, test } from 'vitest'
import { type Body, shows } from './broken.ts'
import { found, HELD, runOf } from './held.ts'

const run = runOf('settlement-told', { operations: ['createTransfer'], beside: ['example-accepted'] })

const showing = (members: object) =>
  shows('createTransfer', (body: Body) => ({ ...body, data: { ...body.data, ...members } }))

test('holds on the right service', async () => {
  expect(await run()).toEqual(HELD)
})

test.each([
  {
    words: 'a pending transfer that says when it was settled',
    members: { settled_at: '2026-11-18T12:00:00Z' },
  },
  {
    words: 'a pending transfer that says why it was rejected',
    members: { rejection_message: 'Conta encerrada' },
  },
  { words: 'a settled transfer that does not say when', members: { status: 'settled' } },
  { words: 'a rejected transfer that does not say why', members: { status: 'rejected' } },
])('finds $words', async ({ members }) => {
  expect(await run(showing(members))).toEqual(found('discovery settlement-told createTransfer'))
})
