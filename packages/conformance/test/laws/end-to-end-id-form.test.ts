import { expect, test } from 'vitest'
import { shows } from './broken.ts'
import { found, HELD, runOf } from './held.ts'
import { runOf as runOfFaulty } from './relayed.ts'

const run = runOf('end-to-end-id-form', {
  beside: ['example-accepted'],
  operations: ['createTransfer', 'getUser'],
})
// A run moves the clock on: what holds begins today, on a sandbox of its own.
const runRead = runOf('end-to-end-id-form', {
  beside: ['example-accepted'],
  operations: ['createTransfer', 'getUser'],
})

test('holds on the right service', async () => {
  expect(await run()).toEqual(HELD)
})

test('finds an id of another form', async () => {
  const fault = shows('createTransfer', ({ data, ...body }) => ({
    ...body,
    data: { ...data, end_to_end_id: 'E1' },
  }))
  expect(await run(fault)).toEqual(found('discovery end-to-end-id-form createTransfer'))
})

test('finds the institution of someone else', async () => {
  const fault = shows('createTransfer', ({ data, ...body }) => ({
    ...body,
    data: { ...data, end_to_end_id: `E00000000${data.end_to_end_id.slice(9)}` },
  }))
  expect(await run(fault)).toEqual(found('discovery end-to-end-id-form createTransfer'))
})

test('finds a minute of another day', async () => {
  const fault = shows('createTransfer', ({ data, ...body }) => ({
    ...body,
    data: { ...data, end_to_end_id: data.end_to_end_id.replace(/^(.{9})\d{8}/, '$120200102') },
  }))
  expect(await run(fault)).toEqual(found('discovery end-to-end-id-form createTransfer'))
})

test('finds a day that there is not', async () => {
  const fault = shows('createTransfer', ({ data, ...body }) => ({
    ...body,
    data: { ...data, end_to_end_id: data.end_to_end_id.replace(/^(.{9}).{12}/, '$1202613400000') },
  }))
  expect(await run(fault)).toEqual(found('discovery end-to-end-id-form createTransfer'))
})

test('says nothing of what is only read', async () => {
  const fault = shows('getUser', (body) => ({ ...body, data: { end_to_end_id: 'E1' } }))
  expect(await runRead(fault)).toEqual(HELD)
})

const runFaulty = runOfFaulty('end-to-end-id-form')

test.each([['end-to-end-id-in-local-time', 'discovery end-to-end-id-form createTransfer']])(
  'finds %s',
  async (fault, line) => {
    expect((await runFaulty(fault)).found).toContain(line)
  },
)
