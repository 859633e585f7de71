import { afterAll, describe, expect, test } from 'vitest'
import type { State } from '../../src/control/state.ts'
import { createAsker, issueToken, signInPartner, times } from '../callers.ts'
import { start } from '../started.ts'

const sandbox = await start()
afterAll(sandbox.close)

describe('GET /state', () => {
  test('shows the accounts of the seed data with their keys, those of partners first', async () => {
    const { accounts, storage } = await sandbox.state()
    expect(storage).toBe('memory')

    const names = ['Loja Exemplo Ltda', 'Padaria Exemplo Ltda', 'Fulano de Tal', 'Beltrana de Tal']
    expect(accounts.map(({ name }) => name)).toEqual(names)
    expect(accounts[0]).toEqual({
      id: 'c3a4b5d6-1d5c-4e0b-9d57-0d6c3f1a7001',
      name: 'Loja Exemplo Ltda',
      trade_name: 'Loja Exemplo',
      tax_id: '12ABC34501DE35',
      ispb: '99999010',
      branch: '0001',
      number: '7000001',
      type: 'CACC',
      balance: '100000.00',
      held: '0.00',
      keys: ['+5561912345678', '12ABC34501DE35'],
    })
  })

  test('shows a transfer from its hold until it is settled', async () => {
    await sandbox.control('POST', '/clock', { freeze: true })
    const { id } = await sandbox.pay('25.00')
    const before = await sandbox.state()
    expect(before.accounts[0]).toMatchObject({ balance: '99975.00', held: '25.00' })
    expect(before.transfers[0]).toMatchObject({
      id,
      status: 'pending',
      amount: '25.00',
      initiation_type: 'DICT',
      payer: 'Loja Exemplo Ltda',
      payee: 'Beltrana de Tal',
      settled_at: null,
      rejection_message: '',
    })

    await sandbox.control('POST', '/clock', { freeze: false, advance_seconds: 1 })
    const after = await sandbox.state()
    expect(after.accounts[0]).toMatchObject({ balance: '99975.00', held: '0.00' })

    const settled_at = expect.stringMatching(RFC3339)
    expect(after.transfers[0]).toMatchObject({ status: 'settled', settled_at })
  })

  test('shows QR codes of all kinds, with their amounts', async () => {
    const code = { dict_key: '12ABC34501DE35', amount: '10.00', message: 'Olá' }
    const { id, emv, qrcode_image } = await sandbox.partner.qrcodes.createStatic(code)
    const { qrcodes } = await sandbox.state()
    expect(qrcodes).toMatchObject([
      { kind: 'Static', amount: '10.00', status: 'ATIVA' },
      { kind: 'Immediate', amount: '35.90', status: 'ATIVA' },
      { kind: 'DueDate', amount: '95.00', status: 'ATIVA' },
    ])
    expect(qrcodes[0]).toMatchObject({ id, emv, qrcode_image, dict_key: code.dict_key })
  })

  test('shows the last requests with their findings, and which are assumptions', async () => {
    const authorization = await issueToken(sandbox)
    const ask = createAsker(sandbox.service, authorization)
    const { headers } = await ask('POST', '/pix/dict/check/', { body: { dict_key: 7 } })
    await ask('GET', '/pix/qrcode/dynamic/due-date?limit=0')

    const { requests } = await sandbox.state()
    const [list, check] = requests
    expect(check).toMatchObject({
      request_id: headers.get('x-request-id'),
      method: 'POST',
      path: '/mobile-bff/v1/pix/dict/check/',
      operation: 'checkKey',
      status: 400,
      at: expect.stringMatching(RFC3339),
      findings: [
        { place: 'body', pointer: '/dict_key', message: expect.any(String), question: null },
      ],
    })
    expect(list?.findings).toMatchObject([
      { place: 'query', pointer: '/limit', question: 'paging' },
    ])

    const token = authorization.slice('Bearer '.length)
    expect(JSON.stringify(await sandbox.state())).not.toContain(token)
  })

  test('stays below 256 kB after a hundred of the largest invalid bodies', async () => {
    // A name outside ASCII, a value of the wrong type, and a long string.
    const item = { [`\u0001${'ã'.repeat(200)}`]: 1, name: 7, value: 'x'.repeat(1_000) }
    const count = Math.floor(65_000 / (Buffer.byteLength(JSON.stringify(item)) + 1))
    const body = JSON.stringify({ additional_infos: Array(count).fill(item) })

    const ask = await signInPartner(sandbox)
    const path = `/pix/qrcode/dynamic/due-date?${'x'.repeat(8_000)}`
    for (const i of times(100)) {
      const { status } = await ask('POST', `${path}=${i}`, { body })
      expect(status).toBe(400)
    }

    const { text, body: state } = await sandbox.control<State>('GET', '/state')
    expect(Buffer.byteLength(text)).toBeLessThan(256 * 1024)

    const { requests } = state
    expect(requests).toHaveLength(100)
    expect(requests[0]?.findings).toHaveLength(20)
    expect(requests[0]?.findings_count).toBeGreaterThan(20)
    expect(requests[99]?.findings_count).toBe(requests[0]?.findings_count)
  })
})

const RFC3339 = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/
