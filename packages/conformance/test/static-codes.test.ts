import { encode } from '@partner-payments/brcode'
import { describe, expect, test } from 'vitest'
import { codeOf, create, readStory, txId } from './story.ts'

/** What a service shows of a static code, where its payment code has all of its values. */
const SHOWN = { amount: '1.00', dict_key: '+5561912345678' }

const TX_ID = txId('staticQrCode', 1)

/** The findings about a static code whose record shows something else than its payment code. */
function readCode(shows: object) {
  const emv = codeOf(1, 'staticQrCode', SHOWN)
  const created = create('staticQrCode', SHOWN, { shows: { ...SHOWN, emv, ...shows } })
  const { findings } = readStory([created])
  return findings.filter(({ rule }) => rule === 'responses-agree')
}

describe('a static code', () => {
  test('agrees with its record', () => {
    expect(readCode({})).toEqual([])
  })

  test.each([{ amount: '1.01' }, { dict_key: '12345678909' }, { tx_id: 'OTHER' }])(
    'that has not the %o of its record is critical, whatever the contract assumes of codes',
    (shows) => {
      const [finding] = readCode(shows)
      expect(finding).toMatchObject({ kind: 'deviation', severity: 'critical' })
      expect(finding?.cites).toHaveProperty('own')
    },
  )

  test.each([
    { amount: '0.00' },
    { dict_key: '55 61 91234-5678' },
    { dict_key: '+55619****5678' },
    { tx_id: TX_ID.toLowerCase() },
  ])(
    'that has not the %o of its record, and may be right all the same, is a deviation',
    (shows) => {
      const [finding] = readCode(shows)
      expect(finding).toMatchObject({ severity: 'warning', cites: { question: 'code-forms' } })
    },
  )

  test.each(['***', TX_ID.slice(0, 9)])(
    'may have the tx_id %s, which names no other payment',
    (txid) => {
      const { dict_key: key, amount } = SHOWN
      const emv = encode({ key, amount, txid, merchantName: 'Loja', merchantCity: 'BRASILIA' })
      const [finding] = readCode({ emv, message: '' })
      expect(finding).toMatchObject({ severity: 'warning', cites: { question: 'code-forms' } })
    },
  )

  test('has a finding of its own for each difference, so that a baseline hides no other', () => {
    const different = [{ amount: '1.01' }, { dict_key: '12345678909' }, { tx_id: 'OTHER' }]
    const ids = different.flatMap((shows) => readCode(shows).map(({ id }) => id))
    expect(new Set(ids).size).toBe(different.length)
  })
})
