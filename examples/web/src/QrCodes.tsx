import type { PaymentsQueries } from '@partner-payments/client/react-query'
import { useInfiniteQuery } from '@tanstack/react-query'
import { money } from './money.ts'

/** The due-date QR codes, page by page. */
export function QrCodes({ queries }: { queries: PaymentsQueries }) {
  const codes = useInfiniteQuery(queries.qrcodes.listDueDate({ limit: '20' }))
  const records = codes.data?.pages.flatMap((page) => page.data) ?? []
  return (
    <section aria-labelledby="codes" aria-busy={codes.isFetching}>
      <h2 id="codes">Due-date QR codes</h2>
      {codes.isPending && <p>Loading…</p>}
      {codes.error && (
        <p role="alert">
          The list could not be loaded.{' '}
          <button type="button" onClick={() => codes.refetch()}>
            Try again
          </button>
        </p>
      )}
      {codes.isSuccess && records.length === 0 && <p>There are none.</p>}
      <ul>
        {records.map(({ id, tx_id, status, amount, calendar, payer }) => (
          <li key={id}>
            <strong>{money(amount.original)}</strong> <span className="status">{status}</span>
            <br />
            {payer?.name ?? 'Anyone'}, due {calendar.due_date}
            <br />
            <code>{tx_id}</code>
          </li>
        ))}
      </ul>
      {codes.hasNextPage && (
        <button type="button" onClick={() => codes.fetchNextPage()} disabled={codes.isFetchingNextPage}>
          {codes.isFetchingNextPage ? 'Loading…' : 'More'}
        </button>
      )}
    </section>
  )
}
