import { expect, it } from 'vitest'
import { createMock } from '../../src/index.ts'
import { call, copyOfContract, deviations, operation, operations } from '../contract.ts'

const TIMES = 100

const mock = await createMock({ dynamic: true })

it.each(operations)('generates valid responses for $id', async (operation) => {
  for (let i = 0; i < TIMES; i++) {
    const response = await call(mock, operation)
    expect(response.ok).toBe(true)
    expect(await deviations(operation, response)).toEqual([])
  }
})

it('generates a different response each time', async () => {
  const [one, other] = await Promise.all([
    call(mock, operation('getUser')),
    call(mock, operation('getUser')),
  ])
  expect(await one.json()).not.toEqual(await other.json())
})

it('generates problem details with the HTTP status', async () => {
  const response = await call(mock, operation('getUser'), { headers: { prefer: 'code=404' } })
  expect(await deviations(operation('getUser'), response)).toEqual([])
  expect(await response.json()).toMatchObject({ status: 404 })
})

it('generates only declared properties', async () => {
  const response = await call(mock, operation('getWebhook'))
  const declared = [
    'created_at',
    'deleted_at',
    'id',
    'partner_id',
    'status',
    'type',
    'updated_at',
    'url',
  ]
  expect(Object.keys((await response.json()) as object).sort()).toEqual(declared)
})

it('returns examples to a request that prefers them', async () => {
  const named = await call(mock, operation('getWebhook'), {
    headers: { prefer: 'example=errorObjects' },
  })
  const fixed = await call(mock, operation('getWebhook'), { headers: { prefer: 'dynamic=false' } })
  expect(await named.json()).toMatchObject({ deleted_at: { error: null } })
  expect(await fixed.json()).toMatchObject({ url: 'https://partner.example.com/pix/events' })
})

it('returns 500 instead of an invalid response', async () => {
  const contract = copyOfContract()
  const impossible = { type: 'string', format: 'uuid', pattern: '^no uuid$' }
  Object.assign(contract.components.schemas as object, { Id: impossible })

  const lines: string[] = []
  const broken = await createMock({ contract, dynamic: true, log: (line) => lines.push(line) })
  const response = await call(broken, operation('getWebhook'))
  expect(response.status).toBe(500)
  expect(lines).toHaveLength(1)
})
