import { type Actors, HOOK } from '../actors.ts'
import { KEYS } from '../cast.ts'
import type { branches } from '../faults/branches.ts'
import type { Probe } from '../probe.ts'

const LATER = '2999-01-15'
const statusOf = async (answer: Promise<{ status: number }>) => (await answer).status

/** The status of a payment of a new code. */
const paying = (members: object) => async (as: Actors) => {
  const { emv } = (await as.immediate()).body
  return statusOf(as.customer('POST /pix/out/', { type: 'emv', emv, amount: '35.90', ...members }))
}
const transferring = (beneficiary: object) => (as: Actors) => statusOf(as.transfer({ beneficiary }))
const looking = (dict_key: string) => (as: Actors) =>
  statusOf(as.partner('POST /pix/dict/check/', { dict_key }))
const hooked = (url: string) => (as: Actors) =>
  statusOf(as.partner('POST /partner/webhook', { ...HOOK, url }))
const charged = (amount: object) => (as: Actors) =>
  statusOf(as.dueDate({ amount: { original: '10.00', ...amount } }))
const beyond = { modality: '1', fixedDateDiscount: [{ amount: '20.00', date: '2998-12-01' }] }

/** What shows each fault of branches. */
export const branchesProbes: Record<keyof typeof branches, Probe> = {
  'description-too-long-for-a-code': [paying({ description: 'a'.repeat(141) }), 400, 201],
  'amount-as-a-number-for-a-code': [paying({ amount: 35.9 }), 400, 201],
  'payment-date-unchecked-for-a-code': [paying({ payment_date: 'tomorrow' }), 400, 201],
  'code-scheduled': [paying({ payment_date: LATER }), 422, 201],
  'beneficiary-of-a-code-not-compared': [paying({ beneficiary: { name: 'Beltrana de Tal' } }), 422, 201],
  'beneficiary-document-not-compared': [transferring({ tax_id: '52998224725' }), 422, 201],
  'beneficiary-account-not-compared': [transferring({ account_number: '98765432109876543210' }), 422, 201],
  'company-digits-unchecked': [looking('11222333000182'), 404, 200],
  'random-key-in-capitals': [looking('123E4567-E12B-12D1-A456-426655440000'), 422, 200],
  'telephone-with-spaces': [looking('+55 61 91234-5678'), 422, 200],
  'private-url-taken': [hooked('https://10.0.0.1/pix'), 422, 201],
  'http-url-taken': [hooked('http://loja.example/pix'), 422, 201],
  'update-to-a-private-url': [
    async (as) => {
      const body = { ...HOOK, status: 'active', url: 'https://10.0.0.1/pix' }
      return statusOf(as.partner(`PATCH /partner/webhook/${await as.webhook()}`, body))
    },
    422,
    200,
  ],
  'filter-with-dots-taken': [
    (as) => statusOf(as.partner('GET /pix/qrcode/dynamic/due-date?tax_id=123.456.789-09')),
    400,
    200,
  ],
  'message-too-long-for-its-key': [
    (as) => statusOf(as.staticCode({ dict_key: KEYS.partner, message: 'a'.repeat(72) })),
    422,
    200,
  ],
  'fixed-discount-above-the-amount': [charged({ discount: beyond }), 422, 200],
  'deduction-of-100-percent': [charged({ deduction: { amount: '100.00', modality: '2' } }), 422, 200],
  'discount-without-its-dates': [charged({ discount: { amount: '1.00', modality: '1' } }), 422, 200],
}
