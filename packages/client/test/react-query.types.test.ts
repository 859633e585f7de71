import {
  type InfiniteData,
  QueryClient,
  useInfiniteQuery,
  useMutation,
  useQuery,
} from '@tanstack/react-query'
import { expectTypeOf, test } from 'vitest'
import type {
  DueDateQrCodeList,
  PartnerUsers,
  Transfer,
  TransferRequest,
  UpdateWebhookRequest,
} from '../src/generated/contract.ts'
import { type CheckedCode, createPayments, type PaymentsError } from '../src/index.ts'
import { paymentsQueries } from '../src/react-query.ts'

const q = paymentsQueries(createPayments({ baseUrl: 'http://mock', auth: { token: () => 'any' } }))
const client = new QueryClient()

// Compiled, not run: hooks run only in components.
const compiled = (_: () => unknown) => {}

test('a query infers the types of data and error', () => {
  compiled(() => {
    const users = useQuery(q.users.list())
    expectTypeOf(users.data).toEqualTypeOf<PartnerUsers | undefined>()
    expectTypeOf(users.error).toEqualTypeOf<PaymentsError | null>()

    const name = useQuery({
      ...q.users.get('u'),
      select: ({ user }) => user.username,
      enabled: false,
    })
    expectTypeOf(name.data).toEqualTypeOf<string | undefined>()
    expectTypeOf(name.error).toEqualTypeOf<PaymentsError | null>()
  })
})

test('an infinite query infers the type of its pages', () => {
  compiled(() => {
    const codes = useInfiniteQuery(q.qrcodes.listDueDate({ limit: '20' }))
    expectTypeOf(codes.data).toEqualTypeOf<InfiniteData<DueDateQrCodeList> | undefined>()
    expectTypeOf(codes.error).toEqualTypeOf<PaymentsError | null>()
  })
})

test('a mutation infers the types of variables and data', () => {
  compiled(() => {
    const transfer = useMutation(q.transfers.create())
    expectTypeOf(transfer.data).toEqualTypeOf<Transfer | undefined>()
    expectTypeOf(transfer.error).toEqualTypeOf<PaymentsError | null>()
    expectTypeOf(transfer.variables).toEqualTypeOf<TransferRequest | undefined>()

    const check = useMutation({ ...q.codes.check(), onSuccess: ({ final_amount }) => final_amount })
    expectTypeOf(check.data).toEqualTypeOf<CheckedCode | undefined>()
    expectTypeOf(check.mutate).parameter(0).toEqualTypeOf<string>()

    const update = useMutation(q.webhooks.update())
    expectTypeOf(update.mutate)
      .parameter(0)
      .toExtend<[webhook_id: string, body: UpdateWebhookRequest]>()
    expectTypeOf(useMutation(q.webhooks.delete()).data).toEqualTypeOf<undefined>()
  })
})

test('the keys type the cached data', () => {
  compiled(() => {
    expectTypeOf(client.getQueryData(q.users.list().queryKey)).toEqualTypeOf<
      PartnerUsers | undefined
    >()
    expectTypeOf(client.fetchQuery(q.users.list())).resolves.toEqualTypeOf<PartnerUsers>()
    expectTypeOf(client.getQueryState(q.users.list().queryKey)?.error).toEqualTypeOf<
      PaymentsError | null | undefined
    >()
    const pages = client.getQueryData(q.qrcodes.listDueDate().queryKey)
    expectTypeOf(pages).toEqualTypeOf<InfiniteData<DueDateQrCodeList> | undefined>()
  })
})

test('each hook accepts only its own options', () => {
  // @ts-expect-error a mutation is not a query
  compiled(() => useQuery(q.transfers.create()))
  // @ts-expect-error pages are not a query
  compiled(() => useQuery(q.qrcodes.listDueDate()))
  // @ts-expect-error a query has no pages
  compiled(() => useInfiniteQuery(q.users.list()))
})

test('input outside the contract does not compile', () => {
  // @ts-expect-error tokens are not cached
  compiled(() => q.auth.signIn())
  // @ts-expect-error the id is required
  compiled(() => q.users.get())
  // @ts-expect-error the cursor comes from the page
  compiled(() => q.qrcodes.listDueDate({ cursor: 'c' }))
  // @ts-expect-error a filter of the contract
  compiled(() => q.qrcodes.listDueDate({ colour: 'blue' }))
  // @ts-expect-error an amount is a string
  compiled(() => useMutation(q.transfers.create()).mutate({ type: 'emv', emv: '', amount: 10.5 }))
  // @ts-expect-error TanStack Query passes the signal
  compiled(() => q.users.get('u', { signal: null }))
})
