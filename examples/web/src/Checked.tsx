import type { CheckedCode } from '@partner-payments/client'
import type { FormEvent } from 'react'
import { amountIn, money } from './money.ts'
import type { Words } from './outcome.ts'
import { Says } from './Says.tsx'
import { usePayment } from './usePayment.ts'

interface CheckedProps {
  readonly code: CheckedCode
  /** Called where nobody knows whether it was paid. */
  readonly onUnsure: (words: Words) => void
  readonly onAnother: () => void
}

/** Whom a code pays and how much, and the button that does. */
export function Checked({ code, onUnsure, onAnother }: CheckedProps) {
  const { phase, words, pay } = usePayment(code, onUnsure)
  const { beneficiary, allow_value_change, final_amount, message } = code

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    pay(amountIn(String(new FormData(event.currentTarget).get('amount') ?? '')))
  }

  return (
    <form onSubmit={submit}>
      {/* The form that had the focus is gone. */}
      <h3 tabIndex={-1} ref={focus}>
        {beneficiary.trade_name || beneficiary.name}
      </h3>
      <dl>
        <Row name="Name" value={beneficiary.name} />
        <Row name="Tax id" value={beneficiary.tax_id} />
        <Row name="Message" value={message} />
        {!allow_value_change && <Amounts code={code} />}
      </dl>
      {allow_value_change && phase !== 'done' && <AmountField />}
      {/* There before it speaks, or it would not be read aloud; and where the focus goes from the button that paid. */}
      <div aria-live="assertive" tabIndex={-1} ref={phase === 'done' ? focus : undefined}>
        {words && <Says words={words} />}
      </div>
      <div className="buttons">
        {phase !== 'done' && (
          <button type="submit" disabled={phase === 'paying'}>
            {phase === 'paying' ? 'Paying…' : allow_value_change ? 'Pay' : `Pay ${money(final_amount)}`}
          </button>
        )}
        {phase !== 'paying' && (
          <button type="button" className="quiet" onClick={onAnother}>
            Another code
          </button>
        )}
      </div>
    </form>
  )
}

function focus(element: HTMLElement | null) {
  element?.focus()
}

/** What is zero is left out. */
function Amounts({ code }: { code: CheckedCode }) {
  const { original_amount, discount, deduction, interest, fine, final_amount } = code
  return (
    <>
      {original_amount !== final_amount && <Row name="Original amount" value={money(original_amount)} />}
      <Row name="Discount" value={money(discount, '−')} />
      <Row name="Deduction" value={money(deduction, '−')} />
      <Row name="Interest" value={money(interest, '+')} />
      <Row name="Fine" value={money(fine, '+')} />
      <Row name="To pay" value={money(final_amount)} />
    </>
  )
}

function Row({ name, value }: { name: string; value: string | null }) {
  if (!value) return null
  return (
    <div>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </div>
  )
}

/** The browser does not submit what the pattern refuses. */
function AmountField() {
  return (
    <p>
      <label htmlFor="amount">Amount in reais, which you choose</label>
      <input
        id="amount"
        name="amount"
        inputMode="decimal"
        pattern="0*[1-9]\d{0,9}([.,]\d{1,2})?|0+[.,](0[1-9]|[1-9]\d?)"
        title="An amount above zero, such as 10.50"
        placeholder="10.50"
        required
        autoComplete="off"
      />
    </p>
  )
}
