import type { PaymentsQueries } from '@partner-payments/client/react-query'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { Checked } from './Checked.tsx'
import { checkFailure, paidMaybe, type Words } from './outcome.ts'
import { Says } from './Says.tsx'

interface PayCodeProps {
  readonly queries: PaymentsQueries
  /** What is in the field to begin with. */
  readonly code: string
}

/** Takes a payment code, and shows what it asks for. A code that may have been paid is not taken again. */
export function PayCode({ queries, code: first }: PayCodeProps) {
  const check = useMutation(queries.codes.check())
  const [unsure, setUnsure] = useState<ReadonlyMap<string, Words>>(new Map())
  const [refused, setRefused] = useState<Words>()

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const code = String(new FormData(event.currentTarget).get('code')).trim()
    setRefused(unsure.has(code) ? paidMaybe : undefined)
    if (!unsure.has(code)) check.mutate(code)
  }

  function keepUnsure(words: Words) {
    setUnsure((known) => new Map(known).set(check.variables ?? '', words))
  }

  return (
    <section aria-labelledby="pay">
      <h2 id="pay">Payment code</h2>
      {check.data ? (
        <Checked code={check.data} onUnsure={keepUnsure} onAnother={check.reset} />
      ) : (
        <>
          {[...unsure].map(([code, words]) => (
            <Says key={code} words={words} />
          ))}
          <form onSubmit={submit}>
            <p>
              <label htmlFor="code">Paste the text of a Pix QR code</label>
              <textarea
                id="code"
                name="code"
                rows={5}
                required
                spellCheck={false}
                autoComplete="off"
                defaultValue={first}
              />
            </p>
            <button type="submit" disabled={check.isPending}>
              {check.isPending ? 'Checking…' : 'Check'}
            </button>
          </form>
        </>
      )}
      <div aria-live="assertive">
        {refused && !check.data && <Says words={refused} />}
        {check.error && <Says words={checkFailure(check.error)} />}
      </div>
    </section>
  )
}
