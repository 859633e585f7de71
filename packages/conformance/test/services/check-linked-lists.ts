import type { Result } from '../../src/index.ts'
import { plans } from '../../src/plans/index.ts'
import { run } from '../../src/run.ts'
import { partner as credentials, other } from '../service.ts'
import { type Linking, linkedLists } from './linked-lists.ts'
import { listen } from './listen.ts'
import { openService } from './service.ts'

/** Checks the lists of a service over HTTP. Returns the queries with which it asked for pages, too. */
export async function checkLinkedLists(
  linking: Linking,
  values = {},
): Promise<Result & { queries: string[] }> {
  const { fetch, close } = await openService(linkedLists(linking))
  const queries: string[] = []
  const server = await listen((request) => {
    const { pathname, search } = new URL(request.url)
    const isList = request.method === 'GET' && pathname.endsWith('/immediate')
    if (isList) queries.push(search.slice(1))
    return fetch(request)
  })
  try {
    const result = await run({
      target: 'sandbox',
      isDisposable: true,
      url: server.url,
      credentials,
      other,
      plans: plans.filter(({ id }) => id === 'lists'),
      operations: ['createImmediateQrCode', 'listImmediateQrCodes', 'cancelImmediateQrCode'],
      values,
      // Lists do not lag here.
      lagMs: 1,
    })
    return { ...result, queries }
  } finally {
    await server.close()
    await close()
  }
}

/** The failures and the critical findings of a result, such as `critical lists-consistent@listImmediateQrCodes`. */
export function listSevereFindings({ findings }: Result): string[] {
  const severe = findings.filter(
    ({ kind, severity }) => kind === 'failure' || severity === 'critical',
  )
  return severe.map(({ rule, operation, severity }) => `${severity} ${rule}@${operation}`)
}

export function findRuleStatus({ rules }: Result, id: string): string | undefined {
  return rules.find(({ rule }) => rule === id)?.status
}
