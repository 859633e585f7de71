import { expect, test } from 'vitest'
import { identities } from '../src/plans/identities.ts'
import type { PlanContext } from '../src/plans/plan.ts'
import { waitForEndInMilliseconds } from '../src/plans/token-lifetimes.ts'
import { requestsOf, START } from './plan-context.ts'

const EXPIRATION = 20_000

/** A use of a token, which the service has issued as the first or the second one. */
interface Use {
  readonly token: string
  readonly ageMs: number
  readonly isAccepted: boolean
}

/**
 * How the run uses its tokens at a service whose clock cannot be moved, a minute after the first sign-in.
 *
 * @param lifetimeMs How long tokens with the expiration 20000 work.
 */
async function listUses(lifetimeMs: number): Promise<readonly Use[]> {
  const uses: Use[] = []
  const issuedAt: number[] = []
  let now = START

  function signIn() {
    issuedAt.push(now)
    const json = { access_token: String(issuedAt.length), expiration: EXPIRATION }
    return { sentAt: now, status: 200, isAccepted: true, json }
  }

  function use({ authorization }: { readonly authorization: string }) {
    const token = authorization.slice('Bearer '.length)
    const ageMs = now - (issuedAt[Number(token) - 1] ?? 0)
    const isAccepted = ageMs <= lifetimeMs
    uses.push({ token, ageMs, isAccepted })
    return { sentAt: now, status: isAccepted ? 200 : 401, isAccepted, json: {} }
  }

  const first = signIn()
  now += 60_000
  const context = {
    clock: { isControlled: false, now: () => now },
    mayWait: true,
    identities: { findFirstToken: () => first },
    send: async (id: string, input: { by: { authorization: string } }) =>
      id === 'signIn' ? signIn() : use(input.by),
    wait: async (ms: number) => {
      now += ms
    },
  }
  await waitForEndInMilliseconds(context as unknown as PlanContext)
  return uses
}

test('it uses a new token, the newest one, before and after its end in milliseconds', async () => {
  const [old, before, after, ...others] = await listUses(EXPIRATION)
  expect(old).toMatchObject({ token: '1', isAccepted: false })
  expect(before).toEqual({ token: '2', ageMs: 0, isAccepted: true })
  expect(after).toMatchObject({ token: '2', isAccepted: false })
  expect(after?.ageMs).toBeGreaterThan(EXPIRATION)
  expect(others).toEqual([])
})

test('it gets no new token if the first one works after its end in milliseconds', async () => {
  expect(await listUses(EXPIRATION * 1000)).toEqual([
    { token: '1', ageMs: 60_000, isAccepted: true },
  ])
})

test('it waits for the end in milliseconds in the plan of the identities, beside which no other runs', async () => {
  const json = { access_token: 'first', expiration: EXPIRATION }
  const first = { sentAt: START, status: 200, isAccepted: true, json }
  const sent = await requestsOf(identities, { uniqueText: () => '111444777' }, () => first)
  expect(identities.beside).toBeUndefined()
  expect(sent.at(-1)).toMatchObject({
    id: 'listUsers',
    input: { by: { authorization: 'Bearer first' } },
  })
  expect(sent.at(-1)?.at).toBeGreaterThan(EXPIRATION)
})
