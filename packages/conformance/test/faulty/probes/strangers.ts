import { type Actors, charge } from '../actors.ts'
import { basic, KEYS, USERS } from '../cast.ts'
import type { strangers } from '../faults/strangers.ts'
import type { Probe } from '../probe.ts'

const IMMEDIATE = '/pix/qrcode/dynamic/immediate'
const TOKEN = 'POST /auth/partner/token/'
const HOUR = 3_600_000
const statusOf = async (answer: Promise<{ status: number }>) => (await answer).status
const signedIn = (pair: readonly [string, string]) => (as: Actors) => statusOf(as.by(basic(pair))(TOKEN))
const tokens = async (as: Actors) => (await as.by(basic(['partner', 'secret']))(TOKEN)).body

/** The status of a deletion by a token that was good once, and has expired. */
async function late(as: Actors): Promise<number> {
  const id = await as.webhook()
  await as.world.run('UPDATE deliveries SET due_at = NULL')
  await as.world.app.worker.moveTo(as.world.app.clock.now() + HOUR + 5_000)
  return statusOf(as.partner(`DELETE /partner/webhook/${id}`))
}

async function byRefreshToken(as: Actors): Promise<number> {
  const { refresh_token } = await tokens(as)
  return statusOf(as.by(`Bearer ${refresh_token}`)(`PATCH /partner/webhook/${await as.webhook()}/secret`))
}

async function twice(as: Actors): Promise<number> {
  const { initiation_id } = (await as.customer('POST /pix/dict/check/', { dict_key: KEYS.beltrana })).body
  const body = { type: 'dict', amount: '1.00', dict_key: KEYS.beltrana, initiation_id }
  await as.customer('POST /pix/out/', body)
  return statusOf(as.customer('POST /pix/out/', body))
}

/** What shows each fault of strangers. */
export const strangersProbes: Record<keyof typeof strangers, Probe> = {
  'foreign-customers-shown': [
    async (as) => (await as.partner(`GET /partner/user/${USERS.partner.user_id}`)).body.customers.length,
    1,
    2,
  ],
  'token-in-the-query': [
    async (as) => statusOf(as.by()(`GET /partner/webhook/?access_token=${(await tokens(as)).access_token}`)),
    401,
    200,
  ],
  'foreign-code-forbidden': [
    async (as) => statusOf(as.other(`DELETE ${IMMEDIATE}/${(await as.immediate()).body.id}`)),
    404,
    403,
  ],
  'expired-token-deletes': [late, 401, 204],
  'refresh-token-rotates': [byRefreshToken, 401, 200],
  'secret-trimmed': [signedIn(['partner', 'secret ']), 401, 200],
  'key-in-capitals': [signedIn(['PARTNER', 'secret']), 401, 200],
  'charge-of-a-customer-to-the-partner': [
    (as) => statusOf(as.customer(`POST ${IMMEDIATE}`, { ...charge(), amount: { original: '1.00' } })),
    422,
    200,
  ],
  'foreign-codes-by-tax-id': [
    async (as) => {
      const { id } = (await as.dueDate({ payer: { tax_id: '12345678909' } })).body
      const { data } = (await as.other('GET /pix/qrcode/dynamic/due-date?tax_id=12345678909')).body
      return data.some((it: { id: string }) => it.id === id)
    },
    false,
    true,
  ],
  'initiation-of-a-customer-twice': [twice, 409, 201],
}
