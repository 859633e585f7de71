import { baseOf, isOnThisMachine } from '../engine/prepare.ts'
import { createServiceClock } from '../transport/service-clock.ts'
import { createHttpTransport } from '../transport/transport.ts'
import { log } from './process.ts'

/** Credentials of the sandbox's seed data, as environment variables. */
const SEED = { CLIENT_KEY: 'partner', CLIENT_SECRET: 'secret', OTHER_KEY: 'other', OTHER_SECRET: 'secret' }

/** The seed credentials, if the target is a sandbox on this machine, which its control API shows; otherwise none. */
export async function seedCredentials(target: string): Promise<Partial<typeof SEED>> {
  const base = baseOf(target)
  if (!isOnThisMachine(base) || !(await isSandbox(base))) return {}
  const variables = Object.entries(SEED).map((it) => it.join('='))
  log(`No credentials were given, so the run uses those of the sandbox's seed data: ${variables.join(' ')}`)
  return SEED
}

async function isSandbox(base: URL): Promise<boolean> {
  const transport = createHttpTransport(base)
  const clock = createServiceClock(transport, 'sandbox')
  await clock.look()
  await transport.close()
  return clock.isControlled
}
