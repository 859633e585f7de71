import type { DataTag, InfiniteData } from '@tanstack/react-query'
import { DecodeError, type PaymentsError } from './errors.ts'
import { operations } from './generated/operations.ts'
import type { Operation } from './operation.ts'
import type { CallOptions } from './options.ts'
import { type Page, readNextCursor } from './pages.ts'
import type { Payments } from './payments.ts'
import type { Transport } from './transport.ts'

/** Options of `useQuery`. */
export interface QueryOptions<Data> extends ErrorOptions {
  readonly queryKey: DataTag<readonly unknown[], Data, PaymentsError>
  readonly queryFn: (context: { readonly signal: AbortSignal }) => Promise<Data>
}

/** Options of `useInfiniteQuery`. */
export interface InfiniteQueryOptions<Page> extends ErrorOptions {
  readonly queryKey: DataTag<readonly unknown[], InfiniteData<Page>, PaymentsError>
  readonly queryFn: (context: {
    readonly signal: AbortSignal
    readonly pageParam: Cursor
  }) => Promise<Page>
  readonly initialPageParam: Cursor
  readonly getNextPageParam: (page: Page) => Cursor
}

/** Options of `useMutation`. */
export interface MutationOptions<Data, Variables> extends ErrorOptions {
  readonly mutationKey: readonly unknown[]
  readonly mutationFn: (variables: Variables) => Promise<Data>
  readonly networkMode: 'always'
}

interface ErrorOptions {
  readonly retry: false
  /** Never set; TanStack Query reads the type of `error` here. */
  readonly throwOnError?: (error: PaymentsError) => boolean
}

/** The cursor of a page; absent for the first one. */
type Cursor = string | undefined

/** The result of {@link paymentsQueries}: the operations by resource, like `Payments`. */
export type PaymentsQueries = {
  readonly [Resource in Exclude<keyof Rows, 'auth'>]: Factories<Rows[Resource], Payments[Resource]>
} & {
  /** The common prefix of all query and mutation keys. */
  readonly queryKey: readonly unknown[]
}

type Rows = typeof operations

// Homomorphic, so that editors show the descriptions of the contract.
type Factories<Rows, Methods> = {
  readonly [Verb in keyof Methods]: Factory<
    Verb extends keyof Rows ? Rows[Verb] : never,
    Methods[Verb]
  >
}

type Factory<Row, Method> = Method extends (...args: infer Args) => Promise<infer Data>
  ? Required<Args> extends [...infer Input, CallOptions]
    ? ReturnType<Method> extends AsyncIterable<unknown>
      ? (query?: Omit<NonNullable<Input[0]>, 'cursor'>) => InfiniteQueryOptions<Data>
      : Row extends { readonly method: 'GET' }
        ? (...input: Input) => QueryOptions<Data>
        : () => MutationOptions<Data, VariablesOf<Input>>
    : never
  : never

type VariablesOf<Input extends unknown[]> = Input extends [infer Only] ? Only : Input

/** Options of {@link paymentsQueries}. */
export interface QueriesOptions {
  /**
   * Identifies in the keys whose data is cached, such as the id of the signed-in user; never a
   * token. Set it if the cache outlives the page or comes from a server, with a different value for
   * each view of `payments.as`. Default: a random name for each identity of each `createPayments`,
   * so that no cache mixes the data of two identities.
   */
  readonly identity?: string
}

/**
 * Returns the operations as options for TanStack Query 5: plain objects without a runtime import.
 *
 * - A GET is a query and receives the `signal`. A paged list is an infinite query by `next_cursor`.
 * - All other operations are mutations, including `codes.check` and `keys.check`: a check can be
 *   paid once, and a refetch on window focus would replace a used check by a fresh one. To pay,
 *   call `pay` of the check, which pays at most once; `transfers.create` cannot guarantee that.
 * - A mutation takes the arguments of the method before its options: the single argument, or an
 *   array of several.
 * - `retry` is false: the client already retries if the effect of the operation allows it. A
 *   payment with an unknown outcome must not be sent twice.
 * - Mutations have `networkMode: 'always'`. Otherwise TanStack Query would hold a payment back
 *   while the device is offline and send it much later.
 * - `auth` is left out: the client signs in, and a cache must not contain tokens.
 *
 * When another user signs in, create new payments with `createPayments` and clear the cache:
 * queries are under `queryKey`, and checks are among the mutations.
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
  const key = ['payments', options.identity ?? nameTransport(payments.transport)]
  const { auth: _, ...cachedResources } = operations
  const queries: Record<string, unknown> = {}
  for (const [resource, rows] of Object.entries(cachedResources)) {
    const methods = payments[resource as keyof typeof cachedResources]
    queries[resource] = createFactories(rows, methods as unknown as Methods, [...key, resource])
  }
  // The loop adds every resource of the type, which is derived from the same table.
  return { ...queries, queryKey: key } as unknown as PaymentsQueries
}

type Method = (...args: unknown[]) => Promise<unknown>

type Methods = Readonly<Record<string, Method>>

type Key = readonly unknown[]

const names = /* @__PURE__ */ new WeakMap<Transport, string>()

/**
 * Views with equal ids share a transport and so a name. Another process, or a persisted cache, has
 * other names.
 */
function nameTransport(transport: Transport): string {
  const name = names.get(transport) ?? Math.random().toString(36).slice(2)
  names.set(transport, name)
  return name
}

/** The functions of one resource, such as `q.users.list`, which create the options of its operations. */
function createFactories(rows: Readonly<Record<string, Operation>>, methods: Methods, key: Key) {
  const factories: Record<string, unknown> = {}
  for (const [verb, operation] of Object.entries(rows)) {
    factories[verb] = createFactory(operation, methods[verb] as Method, [...key, verb])
  }
  return factories
}

/**
 * Returns the function that creates the TanStack options of one operation: a mutation, an infinite
 * query for a paged list, or a query.
 */
function createFactory(operation: Operation, method: Method, key: Key) {
  if (operation.method !== 'GET') return () => createMutation(operation, method, key)

  if (operation.isPaged) {
    return (query?: object) => createInfiniteQuery(operation, method, key, query)
  }

  return (...input: unknown[]) => createQuery(method, key, input)
}

/** The TanStack options of a GET that is no paged list. `input` are the arguments of its method. */
function createQuery(method: Method, key: Key, input: unknown[]) {
  return {
    queryKey: [...key, ...input],
    queryFn: ({ signal }: CallOptions) => method(...input, { signal }),
    retry: false,
  }
}

/** The TanStack options of a paged list, which loads page after page by `next_cursor`. */
function createInfiniteQuery(operation: Operation, method: Method, key: Key, query: object = {}) {
  return {
    queryKey: [...key, query],
    /** Loads one page. `pageParam` is the cursor of that page; undefined for the first. */
    async queryFn({ signal, pageParam }: CallOptions & { readonly pageParam: Cursor }) {
      const page = (await method({ ...query, cursor: pageParam }, { signal })) as Page
      const cursor = readNextCursor(operation, page)
      // The same page would load forever.
      if (pageParam && cursor === pageParam) {
        throw new DecodeError(operation, 'expected a new /next_cursor, got the one that was sent', {
          body: page,
        })
      }
      return page
    },
    initialPageParam: undefined,
    getNextPageParam: ({ next_cursor }: Page) => next_cursor || undefined,
    retry: false,
  }
}

/**
 * The TanStack options of an operation that changes something. Its variables are the only argument
 * of the method, or an array of several.
 */
function createMutation(operation: Operation, method: Method, key: Key) {
  const takesOne = takesOneArgument(operation)
  return {
    mutationKey: key,
    mutationFn: (variables: unknown) => {
      if (takesOne) return method(variables)
      return method(...(variables as unknown[]))
    },
    networkMode: 'always',
    retry: false,
  }
}

/**
 * Whether the only argument before the options is a path parameter or a body. The variables of a
 * mutation are then that argument; for both or none they are an array.
 */
function takesOneArgument({ path, takes }: Operation): boolean {
  const hasPathParameter = path.includes('{')
  const hasBody = takes === 'body'
  return hasPathParameter !== hasBody
}
