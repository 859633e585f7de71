import type { Faults } from '../fault.ts'
import { at, change, type Json, set, textAt } from '../json.ts'
import { remade } from '../responses.ts'
import type { TestSandbox } from '../sandbox.ts'
import { after, both, changeSuccess, isPartner, type Wrap } from '../wrap.ts'

const echo = ['record-shown'] as const
const kinds = ['invariants'] as const
const apart = ['values-unique'] as const

/** Responses that are wrong only for some callers, for some values, or in comparison with another response. */
export const responseDetails: Faults = {
  'customers-see-the-document': {
    operation: 'checkKey',
    rule: ['response-schema'],
    describe: 'A token that acts for a customer sees the whole CPF of an owner.',
    success: async (body, call, sandbox) =>
      (await isPartner(call, sandbox)) ? body : change('/owner_document', unmasked)(body),
  },
  'kind-of-company-keys': {
    operation: 'checkKey',
    rule: kinds,
    describe: 'The key of a company is of the kind CPF.',
    success: change('/dict_key_type', (it) => (it === 'CNPJ' ? 'CPF' : it)),
  },
  'owners-are-companies': {
    operation: 'checkKey',
    rule: kinds,
    describe: 'The owner of every key is a company, whatever its document.',
    success: set('/owner_type', 'LEGAL_PERSON'),
  },
  'description-without-faces': {
    operation: 'createTransfer',
    rule: echo,
    describe: 'Characters outside the BMP come back as question marks in a description.',
    success: textAt('/data/description', (it) => it.replaceAll(/[\u{10000}-\u{10ffff}]/gu, '??')),
  },
  'static-message-composed': {
    operation: 'createStaticQrCode',
    rule: echo,
    describe: 'The message of a static code comes back in the composed form of Unicode.',
    success: textAt('/message', (it) => it.normalize('NFC')),
  },
  'payer-name-composed': {
    operation: 'createDueDateQrCode',
    rule: echo,
    describe: 'The name of a payer comes back in the composed form of Unicode.',
    success: textAt('/payer/name', (it) => it.normalize('NFC')),
  },
  'no-expiration-is-an-hour': {
    operation: 'createImmediateQrCode',
    rule: ['record-shown'],
    describe: 'A charge that does not say how long it lives has an hour.',
    request: ifAbsent('expiration', 3_600),
  },
  'no-expiration-days-are-60': {
    operation: 'createDueDateQrCode',
    rule: ['record-shown'],
    describe: 'A charge that does not say for how many days it is payable has 60.',
    request: ifAbsent('expiration_days', 60),
  },
  'static-code-created-in-local-time': {
    operation: 'createStaticQrCode',
    rule: ['record-shown'],
    describe: 'The moment of a creation is local time that is called UTC.',
    success: textAt('/created_at', local),
  },
  'webhook-created-in-local-time': {
    operation: 'getWebhook',
    elsewhere: ['listWebhooks', 'updateWebhook'],
    rule: ['record-shown'],
    describe: 'The moments of a webhook are local time that is called UTC.',
    success: (it) => change('/updated_at', local)(change('/created_at', local)(it)),
  },
  'end-to-end-id-in-local-time': {
    operation: 'createTransfer',
    rule: ['invariants'],
    describe: 'The minute in an end-to-end id is local time.',
    success: textAt('/data/end_to_end_id', inLocalMinute),
  },
  'static-codes-share-an-id': {
    operation: 'createStaticQrCode',
    rule: apart,
    describe: 'All static codes have one id.',
    success: set('/id', 'b7c1f7c1-7f59-4a8e-9a1c-3f7a0f9f7c01'),
  },
  'transfers-share-an-id': {
    operation: 'createTransfer',
    rule: apart,
    describe: 'All transfers of an account have its id.',
    success: (it) => {
      const id = at(it, '/data/account_id')
      return set('/id', id)(set('/data/id', id)(it))
    },
  },
  'webhooks-share-a-secret': {
    operation: 'createWebhook',
    rule: apart,
    describe: 'All webhooks are given the same secret.',
    service: oneSecret,
  },
  'look-ups-share-an-id': {
    operation: 'checkKey',
    elsewhere: ['createTransfer'],
    rule: [...apart, 'one-time-values'],
    describe: 'A key that is looked up again gets the initiation_id that it had.',
    service: oneInitiation,
  },
  'new-credential-of-nobody': {
    operation: 'createWebhook',
    elsewhere: ['getWebhook', 'listWebhooks'],
    rule: ['record-shown'],
    describe: 'The partner_id of a new webhook is that of nobody.',
    success: (it) => ({ ...it, partner_id: crypto.randomUUID() }),
  },
  'rotated-credential-of-nobody': {
    operation: 'rotateWebhookSecret',
    rule: ['record-changes'],
    describe: 'The partner_id beside a new secret is that of nobody.',
    success: (it) => ({ ...it, partner_id: crypto.randomUUID() }),
  },
  'user-of-another-partner-id': {
    operation: 'getUser',
    elsewhere: ['listUsers'],
    rule: ['record-shown'],
    describe: 'A user has another partner_id alone than on the list.',
    success: (it) => ({ ...it, partner_id: crypto.randomUUID() }),
  },
  'customers-shown-twice': {
    operation: 'getUser',
    rule: ['listed-once'],
    describe: 'A user is shown with each of its customers twice.',
    success: change('/customers', (it) => [...(it as Json[]), ...(it as Json[])]),
  },
  'checksum-in-small-letters': {
    operation: 'createStaticQrCode',
    rule: ['invariants'],
    describe: 'The checksum of a code is written in small letters.',
    success: textAt('/emv', (it) => it.slice(0, -4) + it.slice(-4).toLowerCase()),
  },
  'length-too-short': {
    operation: 'getWebhook',
    rule: ['valid-json', 'response-received'],
    describe: 'The content-length of a webhook is one less than its body.',
    response: async (it) => {
      const { byteLength } = new Uint8Array(await it.clone().arrayBuffer())
      return remade(
        it,
        it.ok && byteLength > 1 ? { headers: { 'content-length': String(byteLength - 1) } } : {},
      )
    },
  },
}

/** The unmasked CPFs of the seed data, by their middle digits. */
function unmasked(document: unknown): unknown {
  const [, middle] = /^\*{3}\.(\d{3}\.\d{3})-\*{2}$/.exec(String(document)) ?? []
  return middle ? `111${middle.replace('.', '')}35` : document
}

function ifAbsent(name: string, value: number) {
  return (body: Json) =>
    at(body, `/calendar/${name}`) === undefined &&
    (body.calendar === undefined || typeof body.calendar === 'object')
      ? { ...body, calendar: { ...(body.calendar as Json | undefined), [name]: value } }
      : body
}

const BEHIND = 3 * 3_600_000

function local(text: unknown): string {
  return new Date(Date.parse(String(text)) - BEHIND).toISOString()
}

function inLocalMinute(id: string): string {
  const [, y, m, d, h, min] = /^.{9}(....)(..)(..)(..)(..)/.exec(id) ?? []
  const minute = local(`${y}-${m}-${d}T${h}:${min}:00Z`).slice(0, 16).replaceAll(/\D/g, '')
  return id.slice(0, 9) + minute + id.slice(21)
}

const SECRET = `whsec_${Buffer.alloc(32, 9).toString('base64')}`

function oneSecret(sandbox: TestSandbox): ReturnType<Wrap> {
  return changeSuccess('createWebhook', async (body, _, sandbox) => {
    await sandbox.run('UPDATE webhooks SET secret = ? WHERE id = ?', [SECRET, String(body.id)])
    return { ...body, secret: SECRET }
  })(sandbox)
}

function oneInitiation(sandbox: TestSandbox): ReturnType<Wrap> {
  const known = new Map<string, unknown>()
  return both(
    changeSuccess('checkKey', (body, { headers }) => {
      const asked = `${headers.get('authorization')} ${body.dict_key}`
      if (!known.has(asked)) known.set(asked, body.initiation_id)
      return { ...body, initiation_id: known.get(asked) }
    }),
    after('checkKey', async () => {}),
  )(sandbox)
}
