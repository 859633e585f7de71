import { createFetchTransport, type Result } from '../../src/index.ts'
import type { RunOptions } from '../../src/run/settings.ts'
import { run } from '../../src/run.ts'
import { partner as credentials, other } from '../service.ts'
import { openService } from './service.ts'
import type { Service } from './wrap.ts'

/** Checks a service in this process. Runs all plans by default. */
export async function checkService(
  service: Service,
  options: Partial<RunOptions> = {},
): Promise<Result> {
  const { fetch, close } = await openService(service)
  const running = run({
    target: 'sandbox',
    url: 'http://127.0.0.1',
    credentials,
    other,
    transport: createFetchTransport(fetch),
    ...options,
  })
  return running.finally(close)
}
