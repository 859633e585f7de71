import { afterAll, describe, expect, test } from 'vitest'
import { signInCallers, summarize } from './callers.ts'
import { readDetail, refusal, startOnMonday } from './started.ts'

const BELTRANA = 'beltrana@example.com'
const MINUTE_MS = 60_000

const sandbox = await startOnMonday()
afterAll(sandbox.close)

describe('looking a key up', () => {
  test.each([
    {
      dict_key: '12345678909',
      dict_key_type: 'CPF',
      owner_name: 'Fulano de Tal',
      owner_type: 'NATURAL_PERSON',
      owner_document: '***.456.789-**',
    },
    {
      dict_key: '11222333000181',
      dict_key_type: 'CNPJ',
      owner_name: 'Padaria Exemplo Ltda',
      owner_type: 'LEGAL_PERSON',
      owner_document: '11222333000181',
    },
    {
      dict_key: '12ABC34501DE35',
      dict_key_type: 'CNPJ',
      owner_name: 'Loja Exemplo Ltda',
      owner_type: 'LEGAL_PERSON',
      owner_document: '12ABC34501DE35',
    },
    {
      dict_key: '+5561912345678',
      dict_key_type: 'PHONE',
      owner_name: 'Loja Exemplo Ltda',
      owner_type: 'LEGAL_PERSON',
      owner_document: '12ABC34501DE35',
    },
    {
      dict_key: BELTRANA,
      dict_key_type: 'EMAIL',
      owner_name: 'Beltrana de Tal',
      owner_type: 'NATURAL_PERSON',
      owner_document: '***.444.777-**',
    },
    {
      dict_key: '123e4567-e12b-12d1-a456-426655440000',
      dict_key_type: 'EVP',
      owner_name: 'Padaria Exemplo Ltda',
      owner_type: 'LEGAL_PERSON',
      owner_document: '11222333000181',
    },
  ])(
    'shows the owner of $dict_key, a $dict_key_type',
    async ({ dict_key, dict_key_type, owner_name, owner_type, owner_document }) => {
      for (const caller of [sandbox.partner, sandbox.other, sandbox.customer]) {
        const found = await caller.keys.check(dict_key)
        expect(found).toMatchObject({
          dict_key,
          dict_key_type,
          owner_name,
          owner_type,
          owner_document,
        })
        expect(JSON.stringify(found)).not.toMatch(/11144477735|"owner_document":"12345678909"/)
      }
    },
  )

  test.each([
    '00000000000',
    '00000000000000',
    '+5511999999999',
    'nobody@example.com',
    '00000000-0000-4000-8000-000000000000',
  ])('does not find %s, which is unknown', async (dict_key) => {
    expect(await refusal(sandbox.partner.keys.check(dict_key))).toBe('404 not_found')
  })

  const anyKey = 'an e-mail, a telephone with +, a CPF, a CNPJ or an EVP'
  const telephone = 'a telephone with + and no spaces, such as +5561912345678'
  test.each([
    {
      dict_key: '123.456.789-09',
      expected: 'digits only, without the punctuation of a CPF or CNPJ',
    },
    {
      dict_key: '11.222.333/0001-81',
      expected: 'digits only, without the punctuation of a CPF or CNPJ',
    },
    { dict_key: '1234567890', expected: anyKey },
    { dict_key: '12abc34501de35', expected: 'in upper case, as the letters of a CNPJ are' },
    { dict_key: '5561912345678', expected: telephone },
    { dict_key: '+55 61 91234-5678', expected: telephone },
    { dict_key: '(61) 91234-5678', expected: telephone },
    { dict_key: ' 5511999999999', expected: telephone },
    { dict_key: '+0561912345678', expected: telephone },
    { dict_key: '+', expected: anyKey },
    { dict_key: '12345678901234567890', expected: anyKey },
    { dict_key: 'beltrana@', expected: anyKey },
    {
      dict_key: '123E4567-E12B-12D1-A456-426655440000',
      expected: 'in lower case, as an e-mail and an EVP are',
    },
    {
      dict_key: 'Beltrana@example.com',
      expected: 'in lower case, as an e-mail and an EVP are',
    },
    { dict_key: `${BELTRANA}\n`, expected: 'without spaces and line breaks around it' },
    { dict_key: ' 12345678909', expected: 'without spaces and line breaks around it' },
    { dict_key: `${BELTRANA}\0`, expected: anyKey },
    { dict_key: 'x', expected: anyKey },
  ])('refuses $dict_key, which must be $expected', async ({ dict_key, expected }) => {
    const check = () => sandbox.partner.keys.check(dict_key)
    expect(await refusal(check())).toBe('422 invalid_key /dict_key')
    expect(await readDetail(check())).toBe(`"dict_key" must be ${expected}.`)
  })

  test('says of eleven digits without an entry that a telephone begins with +55', async () => {
    const hint = 'Eleven digits are read as a CPF; a telephone begins with +55.'
    expect(await readDetail(sandbox.partner.keys.check('61912345678'))).toContain(hint)
    expect(await readDetail(sandbox.partner.keys.check('00000000000'))).not.toContain(hint)
  })

  test.each(['', `${'a'.repeat(66)}@example.com`])(
    'refuses %j by the contract',
    async (dict_key) => {
      // By path, since the client refuses an empty key before it sends anything.
      const check = await callers.partner('POST', '/pix/dict/check/', { body: { dict_key } })
      expect(summarize(check)).toBe('400 invalid_request /dict_key')
    },
  )
})

const callers = await signInCallers(sandbox)

describe('an initiation id', () => {
  async function lookUp(dict_key = BELTRANA): Promise<string> {
    const check = await callers.partner('POST', '/pix/dict/check/', { body: { dict_key } })
    return check.body.initiation_id
  }

  async function pay(
    initiation_id: string,
    { dict_key = BELTRANA, as: ask = callers.partner, amount = '1.00' } = {},
  ): Promise<string> {
    const body = { type: 'dict', amount, dict_key, initiation_id }
    return summarize(await ask('POST', '/pix/out/', { body }))
  }

  test('pays once', async () => {
    const id = await lookUp()
    expect(await pay(id)).toBe('201')
    expect(await pay(id)).toBe('409 initiation_used /initiation_id')
    expect(await pay(id, { amount: '2.00' })).toBe('409 initiation_used /initiation_id')
    const ofOtherKey = await pay(id, { dict_key: 'fulano@example.com' })
    expect(ofOtherKey).toBe('409 initiation_used /initiation_id')
  })

  test('is not used up by a transfer that was refused', async () => {
    const id = await lookUp()
    expect(await pay(id, { amount: '9999999999.00' })).toBe('422 insufficient_funds /amount')
    expect(await pay(id, { amount: '0.00' })).toBe('422 amount_not_allowed /amount')
    expect(await pay(id)).toBe('201')
  })

  test('is used up by a transfer that is rejected later', async () => {
    const id = await lookUp()
    expect(await pay(id, { amount: '9990.01' })).toBe('201')

    await sandbox.at(sandbox.clock.now() + 1_000)
    expect(await pay(id)).toBe('409 initiation_used /initiation_id')
  })

  test('is valid only for its key and its caller', async () => {
    const id = await lookUp()
    expect(await pay(id, { dict_key: '11144477735' })).toBe('422 initiation_invalid /initiation_id')
    expect(await pay(id, { dict_key: 'fulano@example.com' })).toBe(
      '422 initiation_invalid /initiation_id',
    )
    expect(await pay(id, { as: callers.other })).toBe('422 initiation_invalid /initiation_id')
    expect(await pay(id, { as: callers.customer })).toBe('422 initiation_invalid /initiation_id')
    expect(await pay(id)).toBe('201')
  })

  test('is refused with any one bit changed', async () => {
    const id = await lookUp()
    const sealed = Buffer.from(id.slice(4), 'base64url')
    for (let bit = 0; bit < sealed.length * 8; bit += 7) {
      const changed = Buffer.from(sealed)
      changed[bit >> 3] = (changed[bit >> 3] ?? 0) ^ (1 << (bit & 7))

      const changedId = `ini_${changed.toString('base64url')}`
      expect(await pay(changedId)).toBe('422 initiation_invalid /initiation_id')
    }
    expect(await pay(id)).toBe('201')
  })

  test('has only one valid encoding, so another one cannot pay again', async () => {
    const id = await lookUp()
    const sealed = Buffer.from(id.slice(4), 'base64url')
    const spelled = [
      `${id}=`,
      `${id}==`,
      ` ${id}`,
      `${id} `,
      `${id}\n`,
      `${id}\0`,
      id.slice(4),
      `INI_${id.slice(4)}`,
      `ini_${sealed.toString('base64')}=`,
      `ini_${sealed.toString('hex')}`,
      `${id.slice(0, 20)}\n${id.slice(20)}`,
      `${id.slice(0, -1)}${String.fromCharCode(id.charCodeAt(id.length - 1) + 1)}`,
      `ini_${Buffer.concat([sealed, Buffer.from([0])]).toString('base64url')}`,
      'ini_',
      'ini_AAAA',
      `ini_${'A'.repeat(60_000)}`,
    ]
    for (const other of spelled)
      expect(await pay(other), other.slice(0, 100)).toBe('422 initiation_invalid /initiation_id')
    expect(await pay(id)).toBe('201')
  })

  test('is valid for 30 minutes by the clock of the sandbox', async () => {
    const begin = sandbox.clock.now()
    const early = await lookUp()
    const late = await lookUp()
    await sandbox.at(begin + 30 * MINUTE_MS - 1_000)
    expect(await pay(early)).toBe('201')

    await sandbox.at(begin + 30 * MINUTE_MS + 1_000)
    expect(await pay(late)).toBe('422 initiation_invalid /initiation_id')
    // Not as expired: who looks the key up again then pays twice.
    expect(await pay(early)).toBe('409 initiation_used /initiation_id')
  })

  test('is valid on another sandbox only if it shares the state', async () => {
    const id = await lookUp()
    const elsewhere = await startOnMonday()
    const { partner } = await signInCallers(elsewhere)
    expect(await pay(id, { as: partner })).toBe('422 initiation_invalid /initiation_id')

    await elsewhere.close()
  })

  test('is refused once its key has another owner', async () => {
    const id = await lookUp()
    const move = (owner: string) =>
      sandbox.store.write((queries) =>
        queries.run('UPDATE keys SET account_id = ? WHERE dict_key = ?', [owner, BELTRANA]),
      )

    await move('outside/padaria')
    expect(await pay(id)).toBe('422 initiation_invalid /initiation_id')

    await move('outside/beltrana')
    expect(await pay(id)).toBe('201')
  })
})
