import { type Actors, HOOK } from '../actors.ts'
import { KEYS, USERS } from '../cast.ts'
import type { shownApart } from '../faults/shown-apart.ts'
import type { Probe } from '../probe.ts'

const HOUR = 3_600_000
const COMPOSED = 'Joa\u0303o'
const look = async (as: Actors, dict_key: string = KEYS.beltrana) =>
  (await as.partner('POST /pix/dict/check/', { dict_key })).body
const webhook = async (as: Actors) => (await as.partner(`GET /partner/webhook/${await as.webhook()}`)).body
const user = async (as: Actors) => (await as.partner(`GET /partner/user/${USERS.partner.user_id}`)).body
const isNow = (as: Actors, moment: string) => Math.abs(as.world.app.clock.now() - Date.parse(moment)) < HOUR

/** Whether a member of two answers is the same. */
const same =
  (make: (as: Actors) => Promise<{ body: Record<string, unknown> }>, name: string) => async (as: Actors) => {
    const [one, other] = [await make(as), await make(as)]
    return one.body[name] === other.body[name]
  }

async function minuteIsNow(as: Actors): Promise<boolean> {
  const id: string = (await as.transfer()).body.data.end_to_end_id
  const [, y, m, d, h, min] = /^.{9}(....)(..)(..)(..)(..)/.exec(id) ?? []
  return isNow(as, `${y}-${m}-${d}T${h}:${min}:00Z`)
}

/** Whether what a webhook and the list of users say of the partner is the same. */
const ofOnePartner = (see: (as: Actors) => Promise<{ partner_id: unknown }>) => async (as: Actors) =>
  (await see(as)).partner_id === (await as.partner('GET /partner/user')).body.partner_id

async function rotated(as: Actors) {
  return (await as.partner(`PATCH /partner/webhook/${await as.webhook()}/secret`)).body
}

/** The checksum of a code that has a letter in it. */
async function checksumIsInCapitals(as: Actors): Promise<boolean> {
  for (;;) {
    const { emv } = (await as.staticCode()).body
    if (/[a-f]/i.test(emv.slice(-4))) return emv === emv.slice(0, -4) + emv.slice(-4).toUpperCase()
  }
}

/** What shows each fault of what is shown apart. */
export const shownApartProbes: Record<keyof typeof shownApart, Probe> = {
  'customers-see-the-document': [
    async (as) =>
      (await as.customer('POST /pix/dict/check/', { dict_key: KEYS.beltrana })).body.owner_document,
    '***.444.777-**',
    '11144477735',
  ],
  'kind-of-company-keys': [async (as) => (await look(as, KEYS.padaria)).dict_key_type, 'CNPJ', 'CPF'],
  'owners-are-companies': [async (as) => (await look(as)).owner_type, 'NATURAL_PERSON', 'LEGAL_PERSON'],
  'description-without-faces': [
    async (as) => (await as.transfer({ description: 'a 😀' })).body.data.description,
    'a 😀',
    'a ??',
  ],
  'static-message-composed': [
    async (as) => (await as.staticCode({ message: COMPOSED })).body.message,
    COMPOSED,
    'João',
  ],
  'payer-name-composed': [
    async (as) => (await as.dueDate({ payer: { name: COMPOSED } })).body.payer.name,
    COMPOSED,
    'João',
  ],
  'no-expiration-is-an-hour': [async (as) => (await as.immediate()).body.calendar.expiration, 86_400, 3_600],
  'no-expiration-days-are-60': [async (as) => (await as.dueDate()).body.calendar.expiration_days, 30, 60],
  'static-code-created-in-local-time': [
    async (as) => isNow(as, (await as.staticCode()).body.created_at),
    true,
    false,
  ],
  'webhook-created-in-local-time': [async (as) => isNow(as, (await webhook(as)).created_at), true, false],
  'end-to-end-id-in-local-time': [minuteIsNow, true, false],
  'static-codes-share-an-id': [same((as) => as.staticCode(), 'id'), false, true],
  'transfers-share-an-id': [same((as) => as.transfer(), 'id'), false, true],
  'webhooks-share-a-secret': [same((as) => as.partner('POST /partner/webhook', HOOK), 'secret'), false, true],
  'look-ups-share-an-id': [same(async (as) => ({ body: await look(as) }), 'initiation_id'), false, true],
  'new-credential-of-nobody': [
    ofOnePartner(async (as) => (await as.partner('POST /partner/webhook', HOOK)).body),
    true,
    false,
  ],
  'rotated-credential-of-nobody': [ofOnePartner(rotated), true, false],
  'user-of-another-partner-id': [ofOnePartner(user), true, false],
  'customers-shown-twice': [async (as) => (await user(as)).customers.length, 1, 2],
  'checksum-in-small-letters': [checksumIsInCapitals, true, false],
  'length-too-short': [
    async (as) => {
      const { headers } = await as.partner(`GET /partner/webhook/${await as.webhook()}`)
      return headers.has('content-length')
    },
    false,
    true,
  ],
}
