import type { Actors } from '../actors.ts'
import { HOOK } from '../actors.ts'
import { KEYS } from '../cast.ts'
import type { overRejection } from '../faults/over-rejection.ts'
import type { Probe } from '../probe.ts'

const immediate = (members: object) => async (as: Actors) => (await as.immediate(members)).status
const dueDate = (members: object) => async (as: Actors) => (await as.dueDate(members)).status
const staticCode = (members: object) => async (as: Actors) => (await as.staticCode(members)).status
const transfer = (members: object) => async (as: Actors) => (await as.transfer(members)).status
const key = (body: object) => async (as: Actors) => (await as.partner('POST /pix/dict/check/', body)).status

/** What shows each fault of this kind. */
export const overRejectionProbes: Record<keyof typeof overRejection, Probe> = {
  'message-required': [staticCode({}), 200, 400],
  'message-of-140-refused': [immediate({ message: 'a'.repeat(140) }), 200, 400],
  'payer-without-email-crashes': [dueDate({ payer: { name: 'Fulano de Tal' } }), 200, 500],
  'unicode-crashes': [transfer({ description: 'Pão' }), 201, 500],
  'description-of-140-crashes': [transfer({ description: 'a'.repeat(140) }), 201, 500],
  'second-deletion-crashes': [
    async (as) => {
      const id = await as.webhook()
      await as.partner(`DELETE /partner/webhook/${id}`)
      return (await as.partner(`DELETE /partner/webhook/${id}`)).status
    },
    404,
    500,
  ],
  'expiration-of-a-second-refused': [immediate({ calendar: { expiration: 1 } }), 200, 400],
  'limit-of-100-refused': [
    async (as) => (await as.partner('GET /pix/qrcode/dynamic/due-date?limit=100')).status,
    200,
    400,
  ],
  'webhook-type-qrcode-refused': [
    async (as) => (await as.partner('POST /partner/webhook', { ...HOOK, type: 'qrcode' })).status,
    201,
    400,
  ],
  'company-as-payer-refused': [immediate({ payer: { tax_id: '11222333000181' } }), 200, 400],
  '50-infos-refused': [
    immediate({ additional_infos: Array.from({ length: 50 }, () => ({ name: 'a', value: 'b' })) }),
    200,
    400,
  ],
  'tx-id-of-35-refused': [
    async (as) => (await as.dueDate({ tx_id: `abc${crypto.randomUUID().replaceAll('-', '')}` })).status,
    200,
    400,
  ],
  'charset-refused': [
    async (as) =>
      (await as.partner('POST /partner/webhook', HOOK, { 'content-type': 'application/json; charset=utf-8' }))
        .status,
    201,
    415,
  ],
  'extra-member-crashes': [key({ dict_key: KEYS.beltrana, note: '' }), 200, 500],
  'empty-calendar-crashes': [immediate({ calendar: {} }), 200, 500],
  'no-expiration-days-refused': [
    dueDate({ calendar: { due_date: '2999-01-15', expiration_days: 0 } }),
    200,
    400,
  ],
  'beneficiary-refused': [transfer({ beneficiary: { name: 'Beltrana de Tal' } }), 201, 400],
  'company-key-refused': [key({ dict_key: KEYS.padaria }), 200, 400],
}
