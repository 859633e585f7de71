import type { Actors } from '../actors.ts'
import { USERS } from '../cast.ts'
import type { callers } from '../faults/callers.ts'
import type { Probe } from '../probe.ts'

const IMMEDIATE = '/pix/qrcode/dynamic/immediate'
const DUE_DATE = '/pix/qrcode/dynamic/due-date'
const IMPERSONATE = 'POST /auth/partner/impersonate/'

/** Whether somebody sees the code of the partner that was made just now on a list. */
const seen =
  (who: 'other' | 'customer', line: string, kind: 'immediate' | 'dueDate') => async (as: Actors) => {
    const { id } = (await as[kind]()).body
    return (await as[who](line)).body.data.some((it: { id: string }) => it.id === id)
  }

async function onPageTwo(as: Actors): Promise<boolean> {
  for (let i = 0; i < 2; i++) await as.immediate()
  const { body } = await as.partner(`GET ${IMMEDIATE}?limit=1`)
  const { data } = (await as.other(`GET ${IMMEDIATE}?cursor=${body.next_cursor}`)).body
  return data.length > 0
}

const statusOf = async (answer: Promise<{ status: number }>) => (await answer).status

/** What shows each fault of callers. */
export const callersProbes: Record<keyof typeof callers, Probe> = {
  'foreign-due-date-code-cancelled': [
    async (as) => statusOf(as.other(`DELETE ${DUE_DATE}/${(await as.dueDate()).body.id}`)),
    404,
    200,
  ],
  'foreign-due-date-codes-listed': [seen('other', `GET ${DUE_DATE}`, 'dueDate'), false, true],
  'foreign-codes-by-status': [seen('other', `GET ${IMMEDIATE}?status=ATIVA`, 'immediate'), false, true],
  'foreign-codes-on-page-two': [onPageTwo, false, true],
  'codes-of-the-partner-listed': [seen('customer', `GET ${IMMEDIATE}`, 'immediate'), false, true],
  'code-of-the-partner-cancelled': [
    async (as) => statusOf(as.customer(`DELETE ${IMMEDIATE}/${(await as.immediate()).body.id}`)),
    404,
    200,
  ],
  'account-of-the-partner-pays': [
    async (as) => {
      const { access_token } = (await as.partner(IMPERSONATE, USERS.partner)).body
      const ask = as.by(`Bearer ${access_token}`)
      const dict_key = 'beltrana@example.com'
      const { initiation_id } = (await ask('POST /pix/dict/check/', { dict_key })).body
      const paid = await ask('POST /pix/out/', { type: 'dict', amount: '1.00', dict_key, initiation_id })
      return paid.body.data.payer.name
    },
    'Fulano de Tal',
    'Loja Exemplo Ltda',
  ],
  'foreign-customer-of-an-own-user': [
    (as) => statusOf(as.partner(IMPERSONATE, { ...USERS.partner, customer_id: USERS.other.customer_id })),
    404,
    200,
  ],
  'foreign-user-forbidden': [
    (as) => statusOf(as.partner(`GET /partner/user/${USERS.other.user_id}`)),
    404,
    403,
  ],
  'foreign-webhook-coded': [
    async (as) => (await as.other(`GET /partner/webhook/${await as.webhook()}`)).body.code,
    'not_found',
    'not_yours',
  ],
}
