import type { Payments } from '@partner-payments/client'
import { paymentsQueries } from '@partner-payments/client/react-query'
import { useMemo } from 'react'
import { PayCode } from './PayCode.tsx'
import { QrCodes } from './QrCodes.tsx'

interface AppProps {
  readonly payments: Payments
  /** A payment code to begin with. */
  readonly code: string
}

/** The whole page. */
export function App({ payments, code }: AppProps) {
  const queries = useMemo(() => paymentsQueries(payments), [payments])
  return (
    <>
      <header>
        <h1>Pay a code</h1>
        <p>
          An example on the contract of a partner payments API. It speaks to a sandbox on this machine: no
          money moves.
        </p>
      </header>
      <main>
        <PayCode queries={queries} code={code} />
        <QrCodes queries={queries} />
      </main>
    </>
  )
}
