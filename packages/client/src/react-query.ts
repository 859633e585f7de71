import type { DataTag, InfiniteData } from '@tanstack/react-query'
import { DecodeError, type PaymentsError } from './errors.ts'
import { type Operation, operationOf, operations } from './operation.ts'
import type { CallOptions } from './options.ts'
import type { Payments } from './payments.ts'
import type { Transport } from './transport.ts'

/** What `useQuery` takes. */
export interface QueryOptions<Data> extends Failing {
  readonly queryKey: DataTag<readonly unknown[], Data, PaymentsError>
  readonly queryFn: (context: { readonly signal: AbortSignal }) => Promise<Data>
}

/** What `useInfiniteQuery` takes. */
export interface InfiniteQueryOptions<Page> extends Failing {
  readonly queryKey: DataTag<readonly unknown[], InfiniteData<Page>, PaymentsError>
  readonly queryFn: (context: { readonly signal: AbortSignal; readonly pageParam: Cursor }) => Promise<Page>
  readonly initialPageParam: Cursor
  readonly getNextPageParam: (page: Page) => Cursor
}

/** What `useMutation` takes. */
export interface MutationOptions<Data, Variables> extends Failing {
  readonly mutationKey: readonly unknown[]
  readonly mutationFn: (variables: Variables) => Promise<Data>
  readonly networkMode: 'always'
}

interface Failing {
  readonly retry: false
  /** Never set; TanStack Query reads the type of `error` here. */
  readonly throwOnError?: (error: PaymentsError) => boolean
}

/** Where a page begins; absent for the first. */
type Cursor = string | undefined

/** What {@link paymentsQueries} gives: the operations by resource, as those of `Payments`. */
export type PaymentsQueries = {
  readonly [Resource in Exclude<keyof Rows, 'auth'>]: Factories<Rows[Resource], Payments[Resource]>
} & {
  /** What the keys of all its queries and mutations begin with. */
  readonly queryKey: readonly unknown[]
}

type Rows = typeof operations

// Homomorphic, so that an editor shows the texts of the contract.
type Factories<Rows, Methods> = {
  readonly [Verb in keyof Methods]: Factory<Verb extends keyof Rows ? Rows[Verb] : never, Methods[Verb]>
}

type Factory<Row, Method> = Method extends (...args: never[]) => Promise<infer Data>
  ? ReturnType<Method> extends AsyncIterable<unknown>
    ? (query?: Omit<NonNullable<InputOf<Method>[0]>, 'cursor'>) => InfiniteQueryOptions<Data>
    : Row extends `${string} GET ${string}`
      ? (...input: InputOf<Method>) => QueryOptions<Data>
      : () => MutationOptions<Data, VariablesOf<InputOf<Method>>>
  : never

/** What a method takes before the options. */
type InputOf<Method> = Method extends (...args: infer Args) => unknown
  ? Required<Args> extends [...infer Input, CallOptions]
    ? Input
    : never
  : never

type VariablesOf<Input extends unknown[]> = Input extends [infer Only] ? Only : Input

/** How {@link paymentsQueries} names what it caches. */
export interface QueriesOptions {
  /**
   * Names in the keys whose data it is, such as the id of the user who is signed in; never a token. Give it where a
   * cache outlives the page or comes from a server, and give each view of `payments.as` a name of its own. Default: a
   * name by chance for each identity of each `createPayments`, so that no cache shows one the data of another.
   */
  readonly identity?: string
}

/**
 * The operations as options for TanStack Query 5: plain objects, of which nothing is imported at run time.
 *
 * - GET is a query and gets the `signal`; a list that comes in pages is an infinite query by `next_cursor`.
 * - All else is a mutation. So are `codes.check` and `keys.check`: what they answer pays once, and a cache that asks
 *   again by itself, when the window has the focus, would put a fresh one in the place of one that was used. To pay,
 *   call `pay` of what was checked: it pays at most once, which `transfers.create` cannot know.
 * - A mutation takes what the method takes before its options: the one argument, or the list of them.
 * - `retry` is false: the engine has already sent again what the effect of the operation allows. A payment whose outcome
 *   is unknown must not be sent twice.
 * - Mutations have `networkMode: 'always'`. TanStack Query would otherwise hold one back while the device is offline, and
 *   pay when it is online again, however much later.
 * - `auth` is left out: the engine signs in, and a cache is no place for tokens.
 *
 * Where someone else signs in, make a new `createPayments`, and clear the cache: queries are under `queryKey`, and what
 * was checked is among the mutations.
 *
 * @example
 * const q = paymentsQueries(createPayments({ baseUrl, auth: { token } }))
 *
 * const users = useQuery(q.users.list())
 * const codes = useInfiniteQuery(q.qrcodes.listDueDate({ limit: '20' }))
 * const check = useMutation(q.codes.check())
 * queryClient.clear()
 */
export function paymentsQueries(payments: Payments, options: QueriesOptions = {}): PaymentsQueries {
  const key = ['payments', options.identity ?? nameOf(payments.transport)]
  const { auth: _, ...cached } = operations
  const queries = Object.entries(cached).map(([resource, rows]) => {
    const methods = payments[resource as keyof typeof cached] as unknown as Record<string, Method>
    const factories = Object.entries(rows).map(([verb, row]) => [
      verb,
      factoryOf(operationOf(row), methods[verb] as Method, [...key, resource, verb]),
    ])
    return [resource, Object.fromEntries(factories)]
  })
  return { ...Object.fromEntries(queries), queryKey: key }
}

type Method = (...args: unknown[]) => Promise<unknown>

type Key = readonly unknown[]

const names = /* @__PURE__ */ new WeakMap<Transport, string>()

/** Views for equal pairs have one transport; another process, or a cache that was kept, has other names. */
function nameOf(transport: Transport): string {
  const name = names.get(transport) ?? Math.random().toString(36).slice(2)
  names.set(transport, name)
  return name
}

function factoryOf(operation: Operation, method: Method, key: Key) {
  if (operation.method !== 'GET') return () => mutationOf(operation, method, key)
  if (operation.takes === 'query') return (query?: object) => infiniteQueryOf(operation, method, key, query)
  return (...input: unknown[]) => ({
    queryKey: [...key, ...input],
    queryFn: ({ signal }: CallOptions) => method(...input, { signal }),
    retry: false,
  })
}

interface Page {
  readonly next_cursor?: string | null
}

function infiniteQueryOf(operation: Operation, method: Method, key: Key, query: object = {}) {
  return {
    queryKey: [...key, query],
    async queryFn({ signal, pageParam }: CallOptions & { readonly pageParam: Cursor }) {
      const page = (await method({ ...query, cursor: pageParam }, { signal })) as Page
      // It would be the same page for ever.
      if (pageParam && page.next_cursor === pageParam) {
        throw new DecodeError(operation, 'expected a new next_cursor, got one that was sent before')
      }
      return page
    },
    initialPageParam: undefined,
    getNextPageParam: ({ next_cursor }: Page) => next_cursor || undefined,
    retry: false,
  }
}

function mutationOf({ path, takes }: Operation, method: Method, key: Key) {
  const isOne = path.includes('{') !== (takes === 'body')
  return {
    mutationKey: key,
    mutationFn: (variables: unknown) => method(...(isOne ? [variables] : (variables as unknown[]))),
    networkMode: 'always',
    retry: false,
  }
}
