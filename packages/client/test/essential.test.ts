import { MARK, valueAt } from '@partner-payments/contract'
import { describe, expect, it } from 'vitest'
import { wrongCases } from '../bench/cases.ts'
import type { Connection } from '../bench/clients/connection.ts'
import { connect } from '../bench/clients/ours.ts'
import { connect as connectByPath } from '../bench/clients/ours-by-path.ts'
import { operations as rows } from '../build/contract.ts'
import { DecodeError, type OutcomeUnknownError } from '../src/index.ts'
import { allOperations, type Operation } from '../src/operation.ts'
import { findExample } from './contract.ts'
import { json, KEY, SECRET, SETTLED, service, TOKEN, TRANSFER } from './service.ts'

/** Sends an operation, whose arguments do not matter here, to a service that returns `body`. */
function callWith(operation: Operation, body: unknown): Promise<unknown> {
  const { payments } = service(
    () => json(body, operation.status),
    { auth: operation.operationId === 'signIn' ? SECRET : TOKEN },
    () => json(body, operation.status),
  )
  // Without echoes, since the examples show the values of other requests.
  const { echoes: _, ...withoutEchoes } = operation
  return payments.transport.send(withoutEchoes, operation.path, { amount: '10.50' })
}

/** A copy of a body in which the value at a pointer is another one, or absent. */
function withValue(body: unknown, pointer: string, value: unknown): unknown {
  const copy = structuredClone(body)
  const slash = pointer.lastIndexOf('/')
  const holder = valueAt(copy, pointer.slice(0, slash)) as Record<string, unknown>
  const name = pointer.slice(slash + 1)
  if (value === undefined) delete holder[name]
  else holder[name] = value
  return copy
}

const operations = allOperations()
const essentials = operations.flatMap((operation) =>
  Object.entries(operation.essential ?? {}).map(([pointer, type]) => ({
    operation,
    operationId: operation.operationId,
    pointer,
    type,
  })),
)

/** Whether the document does not list an operation, so that it shows nothing of it. */
function isAssumed(operationId: string): boolean {
  const row = rows.find(({ id }) => id === operationId)
  return typeof row?.node[MARK] === 'string'
}

describe('an essential field', () => {
  it('is declared where the document shows the body of a success', () => {
    const others = operations.filter(
      ({ operationId, essential }) => !essential && !isAssumed(operationId),
    )
    expect(others.map(({ operationId }) => operationId).sort()).toEqual([
      'cancelDueDateQrCode',
      'cancelImmediateQrCode',
      'createDueDateQrCode',
      'createImmediateQrCode',
      'deleteWebhook',
      'listDueDateQrCodes',
      'listImmediateQrCodes',
    ])
  })

  it.each(essentials)('is $pointer of $operationId', async ({ operation, pointer, type }) => {
    const { operationId, status, effect } = operation
    const example = findExample(operationId, status)
    await expect(callWith(operation, example)).resolves.toBeDefined()

    const kind = effect === 'once' ? 'outcome_unknown' : 'decode'
    const wrongValues = [undefined, null, '', {}, type === 'array' ? 'a' : ['a']]
    if (type !== 'boolean') wrongValues.push(true, false)
    for (const value of wrongValues) {
      const call = callWith(operation, withValue(example, pointer, value))
      await expect(call, `${value}`).rejects.toMatchObject({
        kind,
        message: expect.stringContaining(`expected a value at ${pointer}, got `),
      })
    }
  })

  it('leaves a service usable that lacks another field', async () => {
    const { payments } = service(({ path }) =>
      path.includes('check') ? json(KEY) : json(SETTLED, 201),
    )
    const payee = await payments.keys.check(KEY.dict_key)
    expect((await payee.pay({ amount: '10.50' })).id).toBe('t')
  })

  it('is named in the error, which has the body but does not print it', async () => {
    const body = { erro: 'fora do ar', cliente: 'Beltrana de Tal' }
    const { payments } = service(() => json(body, 201, { 'x-request-id': 'req_7' }))
    const error: OutcomeUnknownError = await payments.transfers.create(TRANSFER).catch((e) => e)
    expect(error.cause).toBeInstanceOf(DecodeError)
    expect(error.cause.message).toBe(
      'createTransfer: expected a value at /id, got nothing (request req_7) ' +
        '[POST https://pay.example/mobile-bff/v1/pix/out/]',
    )
    expect((error.cause as DecodeError).body).toEqual(body)
    expect(JSON.stringify(error)).not.toContain('Beltrana')
  })
})

describe('the failures of the bench', () => {
  it.each([
    { name: 'by resource', connect },
    { name: 'by path', connect: connectByPath },
  ])('never read as a success $name', async ({ connect }) => {
    // The types of `fetch` differ, the calls do not.
    expect(await wrongCases(connect as (connection: Connection) => never)).toEqual([])
  })
})
