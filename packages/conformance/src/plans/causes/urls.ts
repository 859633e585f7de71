import { stringAt } from '../../contract/json.ts'
import { ACTIVE, INACTIVE } from '../../contract/words.ts'
import type { Input } from '../../send/requests.ts'
import type { PlanContext } from '../plan.ts'
import { type Edit, editOfFields, editsOfField, tryEdits } from './try-edits.ts'

/** Addresses that no service on the internet has. */
const PRIVATE_URLS = [
  'http://loja.example/pix',
  'https://10.0.0.1/pix',
  'https://172.31.255.254/pix',
  'https://192.168.1.10/pix',
  'https://169.254.169.254/latest/meta-data',
  'https://[fd00::1]/pix',
  'https://0x0a000001/pix',
  'https://2130706433.internal/pix',
]

/** Creates and updates webhooks with URLs that the service must not call. */
export async function registerUrls(context: PlanContext): Promise<void> {
  await tryEdits(context, {
    operation: 'createWebhook',
    mustRefuse: () => editsOfField('/url', PRIVATE_URLS),
  })
  await tryEdits(context, { operation: 'updateWebhook', mustRefuse: refusedUpdates })
}

/**
 * Edits of the update of a webhook that the service must refuse: with URLs that lead into a private
 * network, some of them together with the other status.
 */
function refusedUpdates({ body }: Input): Edit[] {
  // The rule is that of createWebhook, so half of the addresses are enough.
  const everySecond = PRIVATE_URLS.filter((_, i) => i % 2 === 0)

  // The rule also holds while the webhook is inactive: the two first URLs with the other status.
  const status = stringAt(body, '/status') === ACTIVE ? INACTIVE : ACTIVE
  const withOtherStatus = PRIVATE_URLS.slice(0, 2).map((url) => editOfFields({ url, status }))
  return [...editsOfField('/url', everySecond), ...withOtherStatus]
}
