import type { PaymentsQueries } from '@partner-payments/client/react-query'
import { useMutation } from '@tanstack/react-query'
import type { FormEvent } from 'react'
import { Checked } from './Checked.tsx'
import { checkFailure } from './outcome.ts'
import { Says } from './Says.tsx'

/** Takes a payment code, and shows what it asks for. */
export function PayCode({ queries }: { queries: PaymentsQueries }) {
  const check = useMutation(queries.codes.check())

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    check.mutate(String(new FormData(event.currentTarget).get('code')).trim())
  }

  return (
    <section aria-labelledby="pay">
      <h2 id="pay">Payment code</h2>
      {check.data ? (
        <Checked code={check.data} onAnother={check.reset} />
      ) : (
        <form onSubmit={submit}>
          <p>
            <label htmlFor="code">Paste the text of a Pix QR code</label>
            <textarea id="code" name="code" rows={5} required spellCheck={false} autoComplete="off" />
          </p>
          <button type="submit" disabled={check.isPending}>
            {check.isPending ? 'Checking…' : 'Check'}
          </button>
        </form>
      )}
      {check.error && <Says words={checkFailure(check.error)} />}
    </section>
  )
}
