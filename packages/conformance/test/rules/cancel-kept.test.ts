import { expect, test } from 'vitest'
import { answers, refusing, shows } from './broken.ts'
import { without } from './contracts.ts'
import { CHARGES, found, HELD, runOf, UNJUDGED, WEBHOOKS } from './held.ts'
import { runOf as runOfFaulty } from './relayed.ts'

const run = runOf('cancel-kept', { operations: [...CHARGES, ...WEBHOOKS] })
const unlisted = runOf('cancel-kept', {
  contract: without('listImmediateQrCodes'),
  operations: CHARGES.filter((it) => it !== 'listImmediateQrCodes'),
})

test('holds on the right service', async () => {
  expect(await run()).toEqual(HELD)
})

test('finds a cancellation that is refused', async () => {
  const fault = answers('cancelImmediateQrCode', refusing(404))
  expect(await run(fault)).toEqual(found('failure cancel-kept cancelImmediateQrCode'))
})

test('finds a cancellation that changes no status', async () => {
  const fault = shows('cancelImmediateQrCode', (body) => ({ ...body, status: 'ATIVA' }))
  expect(await run(fault)).toEqual(found('deviation cancel-kept cancelImmediateQrCode'))
})

test('finds a list that does not show it', async () => {
  const fault = answers('listImmediateQrCodes', (reply) => ({
    ...reply,
    text: reply.text.replaceAll('REMOVIDA_PELO_USUARIO_RECEBEDOR', 'ATIVA'),
  }))
  expect(await run(fault)).toEqual(found('deviation cancel-kept cancelImmediateQrCode'))
})

test('is not judged where nothing lists what was cancelled', async () => {
  expect(await unlisted()).toEqual(UNJUDGED)
})

test('finds a cancellation that neither its answer nor the list shows', async () => {
  const fault = answers(undefined, (reply) => ({
    ...reply,
    text: reply.text.replaceAll('REMOVIDA_PELO_USUARIO_RECEBEDOR', 'ATIVA'),
  }))
  expect(await run(fault)).toEqual(found('deviation cancel-kept cancelImmediateQrCode'))
})

const runFaulty = runOfFaulty('cancel-kept')

test.each([
  ['cancellation-forgets-the-payer', 'deviation cancel-kept cancelDueDateQrCode'],
  ['cancellation-without-revision', 'deviation cancel-kept cancelImmediateQrCode'],
])('finds %s', async (fault, line) => {
  expect((await runFaulty(fault)).found).toContain(line)
})
