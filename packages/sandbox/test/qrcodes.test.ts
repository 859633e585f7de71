import { decode } from '@partner-payments/brcode'
import jsqr from 'jsqr'
import { PNG } from 'pngjs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { encodePng } from '../src/qrcodes/image.ts'
import { DEBTOR, newTxId, signInPartner, times } from './callers.ts'
import { refusal, type Started, startOnMonday } from './started.ts'

const KEY = '12ABC34501DE35'
const sandbox = await startOnMonday()
afterAll(sandbox.close)

const immediate = (more: object = {}, as = sandbox.partner) =>
  as.qrcodes.createImmediate({
    dict_key: KEY,
    tx_id: newTxId(),
    amount: { original: '10.00' },
    ...more,
  })
const dueDate = (more: object = {}, as = sandbox.partner) =>
  as.qrcodes.createDueDate({
    dict_key: KEY,
    tx_id: newTxId(),
    amount: { original: '10.00' },
    calendar: { due_date: '2026-12-15' },
    payer: DEBTOR,
    ...more,
  })

describe('a QR code that is created', () => {
  test('is a code of its charge, and an image of that code', async () => {
    for (const made of [await immediate(), await dueDate()]) {
      expect(decode(made.emv)).toMatchObject({
        location: made.url,
        pointOfInitiation: '12',
        merchantName: 'Loja Exemplo',
      })
      expect(read(made.qrcode_image)).toBe(made.emv)
      expect(made).toMatchObject({
        status: 'ATIVA',
        revision: 0,
        created_at: '2026-11-23T12:00:00.000Z',
      })
    }
  })

  test('has the defaults of the contract where it says nothing', async () => {
    const absent = { message: null, additional_infos: [], payment: null }
    expect(await immediate()).toMatchObject({
      calendar: { expiration: 86_400 },
      payer: null,
      ...absent,
    })
    expect(await dueDate()).toMatchObject({
      calendar: { due_date: '2026-12-15', expiration_days: 30 },
      ...absent,
    })
  })

  test('shows the amounts of a discount by date', async () => {
    const discount = { modality: '1', fixedDateDiscount: [{ amount: '1.00', date: '2026-12-10' }] }
    const code = await dueDate({ amount: { original: '10.00', discount } })
    expect(code.amount).toEqual({ original: '10.00', discount })
  })

  test('contains amount, key and message in the code if it is static', async () => {
    const asked = { dict_key: KEY, amount: '35.90', message: 'Pão & café' }
    const made = await sandbox.partner.qrcodes.createStatic(asked)
    expect(made).toMatchObject(asked)

    const { tx_id: txid } = made
    expect(decode(made.emv)).toMatchObject({
      key: KEY,
      amount: '35.90',
      message: 'Pao & cafe',
      txid,
    })
    expect(read(made.qrcode_image)).toBe(made.emv)
  })

  test('names the customer as the payee', async () => {
    const made = await immediate({ dict_key: 'fulano@example.com' }, sandbox.customer)
    expect((await sandbox.other.codes.check(made.emv)).beneficiary.name).toBe('Fulano de Tal')
  })
})

describe('a QR code is refused', () => {
  test.each([
    {
      reason: 'of no amount',
      more: { amount: {} },
      code: 'field_missing',
      pointer: '/amount/original',
    },
    {
      reason: 'of nothing',
      more: { amount: { original: '0.00' } },
      code: 'invalid_charge',
      pointer: '/amount/original',
    },
    {
      reason: 'of a key of someone else',
      more: { dict_key: 'fulano@example.com' },
      code: 'invalid_charge',
      pointer: '/dict_key',
    },
    {
      reason: 'of an unknown key',
      more: { dict_key: 'nobody@example.com' },
      code: 'invalid_charge',
      pointer: '/dict_key',
    },
  ])('$reason', async ({ more, code, pointer }) => {
    expect(await refusal(immediate(more))).toBe(`422 ${code} ${pointer}`)
    expect(await refusal(dueDate(more))).toBe(`422 ${code} ${pointer}`)
  })

  test.each([
    { reason: 'without a payer', more: { payer: undefined }, expected: '422 field_missing /payer' },
    {
      reason: 'whose payer has no name',
      more: { payer: { tax_id: DEBTOR.tax_id } },
      expected: '422 field_missing /payer/name',
    },
    {
      reason: 'whose discount by date has another amount',
      more: {
        amount: {
          original: '10.00',
          discount: {
            modality: '1',
            amount: '2.00',
            fixedDateDiscount: [{ amount: '1.00', date: '2026-12-10' }],
          },
        },
      },
      expected: '422 invalid_charge /amount/discount/amount',
    },
    {
      // There are 22 calendar days until the due date.
      reason: 'that leaves nothing to pay today',
      more: { amount: { original: '10.00', discount: { modality: '3', amount: '0.46' } } },
      expected: '422 invalid_charge /amount/discount/amount',
    },
  ])('with a due date, $reason', async ({ more, expected }) => {
    expect(await refusal(dueDate(more))).toBe(expected)
  })

  test('whose payer has no tax ID', async () => {
    const payer = { name: DEBTOR.name }
    expect(await refusal(immediate({ payer }))).toBe('422 field_missing /payer/tax_id')
    expect(await refusal(dueDate({ payer }))).toBe('422 field_missing /payer/tax_id')
  })

  test('with an expiration that is out of range', async () => {
    const calendar = `{"due_date":"2026-12-15","expiration":1e400,"expiration_days":1e400}`
    const body = `{"dict_key":"${KEY}","tx_id":"${newTxId()}","amount":{"original":"10.00"},"calendar":${calendar}}`
    const ask = await signInPartner(sandbox)
    for (const kind of ['immediate', 'due-date']) {
      const { status } = await ask('POST', `/pix/qrcode/dynamic/${kind}`, { body })
      expect(status).toBe(400)
    }
  })

  test('with a static amount of zero, or a message too long for the key', async () => {
    const { createStatic } = sandbox.partner.qrcodes
    const zero = { dict_key: KEY, amount: '0.00' }
    expect(await refusal(createStatic(zero))).toBe('422 invalid_charge /amount')

    const long = { dict_key: '+5561912345678', amount: '1.00', message: 'a'.repeat(72) }
    expect(await refusal(createStatic(long))).toBe('422 invalid_charge /message')
  })

  test('with a tx_id that the same partner already used for any kind; another partner may use it', async () => {
    const { tx_id } = await immediate()
    expect(await refusal(immediate({ tx_id }))).toBe('409 tx_id_taken /tx_id')
    expect(await refusal(dueDate({ tx_id }))).toBe('409 tx_id_taken /tx_id')

    const theirs = await immediate(
      { tx_id, dict_key: '7d9f0335-8dcc-4054-9bf9-0dbd61d36906' },
      sandbox.other,
    )
    expect(theirs.tx_id).toBe(tx_id)
  })
})

describe('cancelling a QR code', () => {
  test('twice has the same result as once', async () => {
    const { id } = await immediate()
    const once = await sandbox.partner.qrcodes.cancelImmediate(id)
    expect(once).toMatchObject({ status: 'REMOVIDA_PELO_USUARIO_RECEBEDOR', revision: 1 })

    await sandbox.at(sandbox.clock.now() + 5_000)
    expect(await sandbox.partner.qrcodes.cancelImmediate(id)).toEqual(once)
  })

  test('does not find a code of the other kind', async () => {
    const { qrcodes } = sandbox.partner
    const immediateCode = await immediate()
    expect(await refusal(qrcodes.cancelDueDate(immediateCode.id))).toBe('404 not_found')

    const dueDateCode = await dueDate()
    expect(await refusal(qrcodes.cancelImmediate(dueDateCode.id))).toBe('404 not_found')
  })

  test('is refused while it is being paid, and once it was', async () => {
    const { id, emv } = await dueDate()
    const check = await sandbox.other.codes.check(emv)
    await check.pay()
    expect(await refusal(sandbox.partner.qrcodes.cancelDueDate(id))).toBe('409 qrcode_paid')

    await sandbox.at(sandbox.clock.now() + 1_000)
    expect(await refusal(sandbox.partner.qrcodes.cancelDueDate(id))).toBe('409 qrcode_paid')
  })
})

describe('the lists of QR codes', () => {
  let list: Started
  const createdIds: string[] = []
  beforeAll(async () => {
    list = await startOnMonday()
    for (const i of times(25)) {
      const more = i % 3 === 0 ? { payer: DEBTOR } : {}
      const { id } = await immediate(more, list.partner)
      // QR codes of another kind must not appear.
      await dueDate(more, list.partner)
      if (i % 5 === 0) await list.partner.qrcodes.cancelImmediate(id)
      createdIds.unshift(id)
    }
    return list.close
  })

  interface Query {
    readonly limit?: string
    readonly status?: string
    readonly tax_id?: string
  }

  /** The ids on each page. */
  async function pages(query: Query = {}) {
    const ids: string[][] = []
    let cursor: string | undefined
    do {
      const pageQuery = cursor ? { ...query, cursor } : query
      const page = await list.partner.qrcodes.listImmediate(pageQuery as never)
      ids.push(page.data.map(({ id }) => id))
      cursor = page.next_cursor ?? undefined
    } while (cursor)

    return ids
  }

  test('are cut into pages, newest first, whole and without a repetition', async () => {
    const standard = await pages()
    expect(standard.map((ids) => ids.length)).toEqual([20, 6])

    const thirteen = await pages({ limit: '13' })
    expect(thirteen.map((ids) => ids.length)).toEqual([13, 13])

    // The seed data has one immediate charge, which is the oldest.
    expect(standard.flat().slice(0, -1)).toEqual(createdIds)
    expect(thirteen.flat().slice(0, -1)).toEqual(createdIds)
  })

  test('refuse the cursor of the other list, of another account, and an initiation_id', async () => {
    const { partner, customer, other } = list
    const { next_cursor } = await partner.qrcodes.listImmediate({ limit: '5' })
    const cursor = next_cursor ?? ''
    const { initiation_id } = await partner.keys.check('beltrana@example.com')
    const listings = [
      partner.qrcodes.listDueDate({ cursor }),
      customer.qrcodes.listImmediate({ cursor }),
      other.qrcodes.listImmediate({ cursor }),
      partner.qrcodes.listImmediate({ cursor: initiation_id.replace('ini_', 'c_') }),
      partner.qrcodes.listImmediate({ cursor: `${cursor}=` }),
    ]
    const refusals = await Promise.all(listings.map(refusal))
    expect(refusals).toEqual(listings.map(() => '400 invalid_request cursor'))
  })

  test('are filtered by status and by the payer, page by page', async () => {
    const oldestFirst = createdIds.toReversed()
    const isEvery = (divisor: number, id: string) => oldestFirst.indexOf(id) % divisor === 0

    const cancelled = { limit: '2', status: 'REMOVIDA_PELO_USUARIO_RECEBEDOR' }
    const cancelledIds = createdIds.filter((id) => isEvery(5, id))
    expect((await pages(cancelled)).flat()).toEqual(cancelledIds)

    const cancelledOfPayer = { ...cancelled, tax_id: '12345678909' }
    const idsOfPayer = cancelledIds.filter((id) => isEvery(3, id))
    expect((await pages(cancelledOfPayer)).flat()).toEqual(idsOfPayer)
  })

  test('continue after their cursor, whatever is created meanwhile', async () => {
    const { next_cursor } = await list.partner.qrcodes.listImmediate({ limit: '10' })
    createdIds.unshift((await immediate({}, list.partner)).id)
    const next = await list.partner.qrcodes.listImmediate({
      limit: '10',
      cursor: next_cursor ?? '',
    })
    expect(next.data.map(({ id }) => id)).toEqual(createdIds.slice(11, 21))
  })

  test.each([
    { name: 'cursor', values: ['x', 'c_', 'c_MQ', 'MQ'] },
    { name: 'limit', values: ['0', '101', '1.0', '01', ''] },
  ])('refuse an invalid $name', async ({ name, values }) => {
    for (const value of values) {
      const listing = list.partner.qrcodes.listImmediate({ [name]: value })
      expect(await refusal(listing), value).toBe(`400 invalid_request ${name}`)
    }
  })
})

const code = '00020126580014br.gov.bcb.pix0136123e4567-e12b-12d1-a456-426655440000'

describe('the image of a QR code', () => {
  test.each([10, 71, 171, 384, 512])(
    'draws a code of %i characters, small, and is read again',
    (length) => {
      const text = code.repeat(8).slice(0, length)
      const image = encodePng(text)
      expect(read(image)).toBe(text)
      // The contract names the PNG signature.
      expect(image).toMatch(/^iVBORw0KGgo/)
      expect(image.length).toBeLessThan(2700)
    },
  )

  test('refuses a text that is too long for a QR code', () => {
    expect(() => encodePng('a'.repeat(2954))).toThrow(RangeError)
  })
})

function read(image: string): string | undefined {
  const { data, width, height } = PNG.sync.read(Buffer.from(image, 'base64'))
  return jsqr.default(new Uint8ClampedArray(data), width, height)?.data
}
