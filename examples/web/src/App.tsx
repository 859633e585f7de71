import type { Payments } from '@partner-payments/client'
import { paymentsQueries } from '@partner-payments/client/react-query'
import { useMemo } from 'react'
import { PayCode } from './PayCode.tsx'
import { QrCodes } from './QrCodes.tsx'

/** The whole page. */
export function App({ payments }: { payments: Payments }) {
  const queries = useMemo(() => paymentsQueries(payments), [payments])
  return (
    <>
      <header>
        <h1>Pay a code</h1>
        <p>An example on the contract of a partner payments API. It speaks to a mock: no money moves.</p>
      </header>
      <main>
        <PayCode queries={queries} />
        <QrCodes queries={queries} />
      </main>
    </>
  )
}
