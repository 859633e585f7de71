import { expect, test } from 'vitest'
import { stringAt } from '../src/contract/json.ts'
import { requireKind } from '../src/contract/kinds.ts'
import { ServiceForm } from '../src/form/service-form.ts'
import { breaks } from '../src/plans/breaks.ts'
import type { Plan, PlanContext } from '../src/plans/plan.ts'
import { sendValidRequest } from '../src/plans/send-valid.ts'
import type { Input } from '../src/send/requests.ts'
import { requestsOf } from './plan-context.ts'

/** Updates a webhook twice, first to the status of the example, which is `inactive`. */
const updateTwice: Plan = {
  id: 'update-twice',
  wants: [],
  async run(context) {
    await sendValidRequest(context, 'updateWebhook')
    await sendValidRequest(context, 'updateWebhook')
  },
}

/** A service that accepts only these statuses of a webhook, and does not name them in its refusals. */
function serviceWithStatuses(...accepted: readonly string[]) {
  const sentStatuses: string[] = []

  async function send(id: string, { body }: Input = {}) {
    const status = String(stringAt(body, '/status'))
    const isUpdate = id === 'updateWebhook'
    if (isUpdate) sentStatuses.push(status)
    const isAccepted = !isUpdate || accepted.includes(status)
    return { sentAt: 1, status: isAccepted ? 200 : 422, isAccepted, json: { id: 'wh', status } }
  }
  return { sentStatuses, send: Object.assign(send, { cleanUp: async () => [] }) }
}

test('it learns the usual word for a webhook that receives nothing, if the service accepts it', async () => {
  const { send } = serviceWithStatuses('active', 'paused')
  const form = new ServiceForm()
  await requestsOf(updateTwice, { send: send as PlanContext['send'], form, maySearch: true })
  expect(form.learned.map(({ name, value }) => `${name}=${value}`)).toEqual([
    'webhook/status/inactive=paused',
  ])
})

test('it tries the usual words once in a run', async () => {
  const { send, sentStatuses } = serviceWithStatuses('active')
  await requestsOf(updateTwice, { send: send as PlanContext['send'], maySearch: true })
  expect(sentStatuses.filter((word) => word === 'paused')).toHaveLength(1)
})

test('it tries no usual word where a run may not search', async () => {
  const { send, sentStatuses } = serviceWithStatuses('active')
  await requestsOf(updateTwice, { send: send as PlanContext['send'], maySearch: false })
  expect(sentStatuses).toContain('inactive')
  expect(sentStatuses).not.toContain('paused')
})

test('it learns no word from a service that did not find the webhook at first', async () => {
  const { send: accepts } = serviceWithStatuses('active', 'inactive', 'paused')
  let updates = 0
  async function send(id: string, input: Input = {}) {
    if (id === 'updateWebhook') updates++
    const isMissing = id === 'updateWebhook' && updates === 1
    if (isMissing) return { sentAt: 1, status: 404, isAccepted: false, json: {} }
    return accepts(id, input)
  }

  const form = new ServiceForm()
  await requestsOf(updateTwice, {
    send: Object.assign(send, { cleanUp: async () => [] }),
    form,
    maySearch: true,
  })
  expect(form.learned).toEqual([])
})

test('it writes unusual bodies in the words of the service', async () => {
  const form = new ServiceForm()
  form.learnWord({ kind: requireKind('webhook'), field: 'status', word: 'inactive' }, 'paused')
  const sent = await requestsOf(breaks, {
    form,
    isChosen: (id) => id === 'updateWebhook',
    signal: new AbortController().signal,
  })

  const texts = sent.map(({ input }) => String(input.body))
  const statuses = texts.flatMap((text) => /"status":"(\w+)"/.exec(text)?.[1] ?? [])
  expect(new Set(statuses)).toEqual(new Set(['paused']))
})
