import { expect, test } from 'vitest'
import { plans } from '../src/plans/index.ts'
import { renderEvidence } from '../src/report/render-evidence.ts'
import { bugs } from './differing/bugs.ts'
import { oldestFirst, ownForm } from './differing/own-form.ts'
import { checkService } from './services/check.ts'
import { problem } from './services/responses.ts'
import { callerOf } from './services/state.ts'
import { onResponse, refuse, type Service, together } from './services/wrap.ts'
import { findService } from './variations/variations.ts'

const EXAMPLES = plansNamed('examples')

test('it learns how a service writes what is assumed, and finds no failure in it', async () => {
  const service = together(ownForm, oldestFirst)
  const result = await checkService(service, {
    plans: plansNamed('examples', 'lists', 'deliveries'),
  })
  const { form, findings, notSent } = result
  expect(JSON.parse(renderEvidence(result, {})).form).toEqual(form)
  const learned = Object.fromEntries(form.map(({ name, value }) => [name, value]))
  expect(learned).toMatchObject({
    'list/next': '/paging/after',
    'list/order/listImmediateQrCodes': 'oldest-first',
    'error/code': '/error/type',
    'immediateQrCode/status/ATIVA': 'OPEN',
    'dueDateQrCode/status/CONCLUIDA': 'PAID',
    'immediateQrCode/status/REMOVIDA_PELO_USUARIO_RECEBEDOR': 'CANCELLED',
    'event/transfer.settled': 'pix.sent',
    'event/transfer.received': 'pix.arrived',
    'event/qrcode.paid': 'charge.paid',
    'event/qrcode.cancelled': 'charge.closed',
    signature: 'x-signature: sha256=hex',
  })

  const wrong = findings.filter(
    ({ kind, severity }) => kind === 'failure' || severity === 'critical',
  )
  expect(wrong).toEqual([])
  // It takes "active" where it refuses "inactive".
  expect(notSent).toEqual([])
})

test.each([
  ['scheme-token', 'Token'],
  ['scheme-none', 'none'],
])('it sends tokens in the scheme in which the service takes them: %s', async (id, value) => {
  const { form, findings, verdicts, notSent } = await checkService(findService(id), {
    plans: EXAMPLES,
  })
  const scheme = { name: 'authorization/scheme', value, question: 'auth-scheme' }
  expect(form).toEqual([{ ...scheme, isGiven: false }])
  expect(notSent).toEqual([])
  const questions = findings.map(({ cites }) => 'question' in cites && cites.question)
  expect(new Set(questions)).toEqual(new Set(['auth-scheme']))
  const contradicted = verdicts.filter(({ verdict }) => verdict === 'contradicted')
  expect(contradicted.map(({ question }) => question)).toEqual(['auth-scheme'])
})

test('it learns the cursor of a list that repeats its pages', async () => {
  const bug = bugs.find(({ id }) => id === 'page-repeated')
  const service = together(ownForm, bug?.service ?? {}, oldestFirst)
  const { form, findings } = await checkService(service, { plans: plansNamed('lists') })
  expect(form.map(({ name }) => name)).toContain('list/next')
  const ofPages = findings.filter(({ message }) => message.includes('on two pages'))
  expect(ofPages).not.toEqual([])
})

test.each([
  {
    id: 'code-words',
    question: 'code-kinds',
    words: {
      'check-shows-kind/DueDate': 'DynamicDueDate',
      'check-shows-kind/Immediate': 'Dynamic',
    },
  },
  {
    id: 'initiation-and-end-to-end',
    question: 'initiation-types',
    words: {
      'transfer-shows-code-kind/QRDN': 'DYNAMIC',
      'transfer-shows-code-kind/QRES': 'STATIC',
      'transfer-to-key-shows-kind/DICT': 'KEY',
    },
  },
])(
  'it notes which word a service has for which of the contract: $id',
  async ({ id, question, words }) => {
    const { sightings } = await checkService(findService(id), { plans: EXAMPLES })
    const names = sightings.filter(
      (sighting) => sighting.question === question && sighting.of === 'name',
    )
    const seen = names.map(({ at, seen }) => [
      at.replace('behaviour#/copies/', ''),
      Object.keys(seen).join(),
    ])
    expect(Object.fromEntries(seen)).toEqual(words)
  },
)

test('it sends the word that --set gives', async () => {
  const values = { webhook: { '/status/inactive': 'disabled' } }
  const service = together(ownForm, oldestFirst)
  const { findings } = await checkService(service, { plans: EXAMPLES, values })
  const ofUpdates = findings.filter(({ operation }) => operation === 'updateWebhook')
  expect(ofUpdates.map(({ rule }) => rule)).not.toContain('requests-accepted')
})

test('it finds a key and a customer of a sandbox that knows no example', async () => {
  const unknownKeys: Service = {
    prepare: ({ run }) =>
      run("DELETE FROM keys WHERE dict_key IN ('beltrana@example.com', '11222333000181')"),
  }
  const { coverage, notSent } = await checkService(unknownKeys, { plans: EXAMPLES })
  const checked = coverage.operations.find(({ operation }) => operation === 'checkKey')
  expect(checked?.successes).toBeGreaterThan(0)
  expect(notSent).toEqual([])
})

test('it acts for a customer where the token of the partner is refused', async () => {
  const { notSent, form, findings } = await checkService(findService('customers-pay'), {
    plans: EXAMPLES,
  })
  expect(notSent).toEqual([])
  expect(form.map(({ name }) => name)).toEqual([
    'token/staticQrCode',
    'token/immediateQrCode',
    'token/dueDateQrCode',
    'token/transfer',
  ])
  const ofTokens = findings.filter(({ question }) => question === 'token-permissions')
  expect(ofTokens.map(({ rule }) => rule)).toEqual(['access-kinds'])
})

test('it takes no refusal of a key for one of the token of the partner', async () => {
  const { notSent, form, findings, verdicts, coverage } = await checkService(
    findService('keys-of-customers'),
    {
      plans: plansNamed('examples', 'lists'),
    },
  )
  expect(form).toEqual([])
  expect(findings.filter(({ question }) => question === 'token-permissions')).toEqual([])
  const { verdict } = verdicts.find(({ question }) => question === 'token-permissions') ?? {}
  expect(verdict).not.toBe('contradicted')

  // A customer creates the codes all the same, so that all is tried.
  expect(notSent).toEqual([])
  const created = coverage.operations.find(({ operation }) => operation === 'createImmediateQrCode')
  expect(created?.successes).toBeGreaterThan(0)
})

test('it goes on as the partner, whose token has created such codes before', async () => {
  let hasCreated = false
  const service: Service = {
    operations: 'createImmediateQrCode',
    async wrap(call, next, sandbox) {
      const caller = await callerOf(call, sandbox)
      const isRefused = hasCreated && caller?.customer_id === null
      if (isRefused) return problem(403, 'invalid_charge')

      hasCreated = true
      return next(call)
    },
  }
  const created: unknown[] = []
  const seen: Service = {
    operations: 'createImmediateQrCode',
    ...onResponse(async (response, call, sandbox) => {
      const caller = await callerOf(call, sandbox)
      created.push(caller?.customer_id ?? 'partner')
      return response
    }),
  }
  const { form } = await checkService(together(service, seen), { plans: EXAMPLES })
  expect(form).toEqual([])
  expect(new Set(created)).toEqual(new Set(['partner']))
})

test('it acts for nobody whom the user of a live service does not name', async () => {
  const { notSent, form } = await checkService(findService('customers-pay'), {
    plans: EXAMPLES,
    target: 'live',
  })
  expect(form).toEqual([])
  expect(notSent).toContain(
    'not sent: the service refuses the partner for it; name a customer who may send it with --set impersonate/user_id=ID --set impersonate/customer_id=ID',
  )
})

test('it reads records that are inside of an object, and have other names', async () => {
  const { notSent, form, findings } = await checkService(findService('record-wrapped'), {
    plans: plansNamed('examples', 'lists'),
  })
  expect(notSent).toEqual([])
  const learned = Object.fromEntries(form.map(({ name, value }) => [name, value]))
  expect(learned).toMatchObject({
    'place/immediateQrCode': '/qrcode',
    'place/immediateQrCode/emv': '/copy_and_paste',
    'place/dueDateQrCode/amount/original': '/value',
    'list/items/listImmediateQrCodes': '/qrcodes',
  })
  expect(findings.filter(({ kind }) => kind === 'failure')).toEqual([])
})

test('it goes through the life of webhooks where the service has the type "all" alone', async () => {
  const service = {
    operations: new Set(['createWebhook', 'updateWebhook']),
    ...refuse([422, 'webhook_type_unknown'], ({ type }) => type !== 'all'),
  }
  const { coverage, verdicts } = await checkService(service, { plans: plansNamed('lifecycles') })
  const deletion = coverage.operations.find(({ operation }) => operation === 'deleteWebhook')
  expect(deletion?.successes).toBeGreaterThan(0)
  const { unsettled } = verdicts.find(({ question }) => question === 'effects') ?? {}
  expect(unsettled).not.toContain('gone')
})

test('it walks through users until one has a customer', async () => {
  const service: Service = {
    prepare: ({ run }) =>
      run(`INSERT INTO users (
          id, position, partner_id, email, nickname, phone_number, status, tax_id, username
        )
        SELECT
          '${ANOTHER_USER}', -1, partner_id, 'x@example.com', 'X', '+5561900000009',
          status, tax_id, 'x'
        FROM users WHERE id = '25fd6010-0b86-417f-96a3-7c5e37646c16'`),
  }
  const { coverage, notSent } = await checkService(service, { plans: EXAMPLES })
  const impersonated = coverage.operations.find(({ operation }) => operation === 'impersonate')
  expect(impersonated?.successes).toBeGreaterThan(0)
  expect(notSent).toEqual([])
})

const ANOTHER_USER = '0f6d3c4e-7a51-4a0b-9b0e-3a8f3a7a1c55'

function plansNamed(...ids: readonly string[]) {
  return plans.filter(({ id }) => ids.includes(id))
}
