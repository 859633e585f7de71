import { expect, test } from 'vitest'
import { stringAt } from '../src/contract/json.ts'
import { ServiceForm } from '../src/form/service-form.ts'
import type { Plan, PlanContext } from '../src/plans/plan.ts'
import { sendValidRequest } from '../src/plans/send-valid.ts'
import type { Input } from '../src/send/requests.ts'
import { requestsOf } from './plan-context.ts'

/** Updates a webhook twice, first to the status of the example, which is `inactive`. */
const pauses: Plan = {
  id: 'pauses',
  wants: [],
  async run(context) {
    await sendValidRequest(context, 'updateWebhook')
    await sendValidRequest(context, 'updateWebhook')
  },
}

/** A service that takes these statuses of a webhook, and says nothing of its words. */
function takesStatuses(words: readonly string[]) {
  const sent: string[] = []
  async function send(id: string, { body }: Input = {}) {
    const status = stringAt(body, '/status')
    const isAccepted = id !== 'updateWebhook' || words.includes(String(status))
    if (id === 'updateWebhook') sent.push(String(status))
    return { sentAt: 1, status: isAccepted ? 200 : 422, isAccepted, json: { id: 'wh', status } }
  }
  return { sent, send: Object.assign(send, { cleanUp: async () => [] }) as PlanContext['send'] }
}

test('it tries the usual words for a webhook that receives nothing, and learns the accepted one', async () => {
  const { send } = takesStatuses(['active', 'paused'])
  const form = new ServiceForm()
  await requestsOf(pauses, { send, form, maySearch: true })
  expect(form.learned.map(({ name, value }) => `${name}=${value}`)).toEqual([
    'webhook/status/inactive=paused',
  ])
})

test('it tries the usual words once, and none where nobody may search', async () => {
  const { send, sent } = takesStatuses(['active'])
  await requestsOf(pauses, { send, maySearch: true })
  expect(sent.filter((word) => word === 'paused')).toHaveLength(1)

  const ofLive = takesStatuses(['active'])
  await requestsOf(pauses, { send: ofLive.send })
  expect(ofLive.sent).not.toContain('paused')
})
