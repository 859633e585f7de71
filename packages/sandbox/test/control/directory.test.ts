import { encode } from '@partner-payments/brcode'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { BACKENDS, newState } from '../backends.ts'
import { SHOP, summarize } from '../callers.ts'
import { refusal, type Started, start } from '../started.ts'

const CLINIC = {
  dict_key: 'pix@clinica.example',
  name: 'Clínica Exemplo',
  tax_id: '11222333000181',
}

describe.each(BACKENDS)('POST /keys on %s', (backend) => {
  let sandbox: Started
  beforeAll(async () => {
    sandbox = await start({ ...(await newState(backend)), limitsRates: false })
    return sandbox.close
  })
  beforeEach(async () => {
    await sandbox.control('POST', '/reset')
    return async () => expect(await sandbox.findings()).toEqual([])
  })

  const add = (entry: object) => sandbox.control<{ id: string }>('POST', '/keys', entry)

  test('adds an entry of another institution, whose key and codes can be paid', async () => {
    const { partner } = sandbox
    const emv = encode({ ...SHOP, key: CLINIC.dict_key, amount: '10.00' })
    expect(await refusal(partner.codes.check(emv))).toBe('422 invalid_code /emv')

    const { status, body } = await add(CLINIC)
    expect(status).toBe(201)
    expect(body).toMatchObject({
      ...CLINIC,
      dict_key_type: 'EMAIL',
      trade_name: '',
      owner_type: 'LEGAL_PERSON',
      ispb: '99999029',
      branch: '0001',
      account_type: 'CACC',
    })

    const check = await partner.codes.check(emv)
    expect(check.beneficiary).toMatchObject({ name: CLINIC.name, ispb: '99999029' })

    const owner = await partner.keys.check(CLINIC.dict_key)
    expect(owner).toMatchObject({ id: body.id, owner_name: CLINIC.name })

    const byCode = await check.pay()
    const byKey = await owner.pay({ amount: '1.00' })
    await sandbox.advance(1)
    const { transfers } = await sandbox.state()
    expect(transfers.map(({ id, status }) => ({ id, status }))).toEqual([
      { id: byKey.id, status: 'settled' },
      { id: byCode.id, status: 'settled' },
    ])
  })

  test('adds the CPF of a person', async () => {
    const person = { dict_key: '52998224725', name: 'Sicrano de Tal', tax_id: '52998224725' }
    await add(person)
    expect(await sandbox.other.keys.check(person.dict_key)).toMatchObject({
      owner_document: '***.982.247-**',
      owner_type: 'NATURAL_PERSON',
    })
  })

  test.each([
    {
      fault: 'a key that the directory has',
      entry: { ...CLINIC, dict_key: 'beltrana@example.com' },
      expected: '409 invalid_request /dict_key',
    },
    {
      fault: 'an invalid key',
      entry: { ...CLINIC, dict_key: 'Pix@clinica.example' },
      expected: '422 invalid_key /dict_key',
    },
    {
      fault: 'a CPF with another tax ID',
      entry: { ...CLINIC, dict_key: '52998224725' },
      expected: '400 invalid_request /tax_id',
    },
    {
      fault: 'an owner without a name',
      entry: { ...CLINIC, name: '' },
      expected: '400 invalid_request /name',
    },
    {
      fault: 'an invalid tax ID',
      entry: { ...CLINIC, tax_id: '1' },
      expected: '400 invalid_request /tax_id',
    },
  ])('refuses $fault, and adds nothing', async ({ entry, expected }) => {
    const count = () =>
      sandbox.store.read((queries) => queries.get('SELECT count(*) AS n FROM accounts'))
    const before = await count()
    expect(summarize(await add(entry))).toBe(expected)
    expect(await count()).toEqual(before)
  })
})
