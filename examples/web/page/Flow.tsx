import { useRef, useState } from 'react'
import { amountOf } from '../shared/input.ts'
import type { Payment } from '../shared/payment.ts'
import { call } from './api.ts'
import { Field, type FieldProps } from './Field.tsx'
import { Facts, Outcome } from './states.tsx'

interface FlowProps extends FieldProps {
  readonly title: string
  readonly path: '/api/keys' | '/api/codes' | '/api/charges'
  /** The newest payments, as the back end reports them. */
  readonly payments: readonly Payment[]
}

/**
 * One payment at a time: a form; for a key or a code a second one, to confirm; then its state, as
 * it changes.
 */
export function Flow({ title, path, payments, ...field }: FlowProps) {
  const [started, setStarted] = useState<Payment>()
  const [isBusy, setBusy] = useState(false)
  const [problem, setProblem] = useState('')
  const heading = useRef<HTMLHeadingElement>(null)
  const payment = payments.find(({ id }) => id === started?.id) ?? started
  const isConfirmed = payment !== undefined && payment.state !== 'checked'
  const form = { isBusy, problem, onProblem: setProblem }

  function show(next: Payment | undefined) {
    setStarted(next)
    setProblem('')
    // The form that has the focus goes away.
    heading.current?.focus()
  }
  async function send(path: string, value: string) {
    setBusy(true)
    await call<Payment>(path, value).then(show, ({ message }) => setProblem(message))
    setBusy(false)
  }

  const restart = (
    <button type="button" className="quiet" onClick={() => show(undefined)}>
      {isConfirmed ? 'Start another' : 'Cancel'}
    </button>
  )
  return (
    <section aria-label={title}>
      <h2 tabIndex={-1} ref={heading}>
        {title}
      </h2>
      {!payment && <Field {...field} {...form} onValue={(value) => send(path, value)} />}
      {payment?.image && <Code payment={payment} />}
      {/* The form below shows the amount until it is confirmed. */}
      {payment && <Facts payment={isConfirmed ? payment : { ...payment, amount: null }} />}
      {payment?.state === 'checked' && (
        <Field
          {...form}
          label="Amount in reais"
          hint={payment.amount ? 'The code fixes the amount.' : 'Such as 25.00'}
          read={amountOf}
          invalid="Type an amount above zero, such as 25.00."
          first={payment.amount ?? undefined}
          isFixed={payment.amount !== null}
          button="Pay"
          onValue={(amount) => send(`/api/payments/${payment.id}`, amount)}
        >
          {restart}
        </Field>
      )}
      {/* It is there before it speaks, or it would not be read aloud. */}
      <div role="status">{isConfirmed && <Outcome payment={payment} />}</div>
      {isConfirmed && (
        <div className="buttons">
          {restart}
          <a href={`/receipts/${payment.id}`}>
            {payment.state === 'settled' ? 'Receipt' : 'Details'}
          </a>
        </div>
      )}
    </section>
  )
}

/** The picture while it can be paid, and the text to copy. */
function Code({ payment: { image, emv, state } }: { payment: Payment }) {
  const text = useRef<HTMLTextAreaElement>(null)
  const [said, setSaid] = useState('')
  if (state !== 'open') return null
  async function copy() {
    // A browser may refuse; then the text is ready to be copied by hand.
    text.current?.select()
    try {
      await navigator.clipboard.writeText(emv ?? '')
      setSaid('Copied')
    } catch {
      setSaid('Press Ctrl+C to copy')
    }
  }
  return (
    <div className="code">
      <img src={`data:image/png;base64,${image}`} alt="QR code" width="176" height="176" />
      <div className="copy">
        <label>
          Pix code to copy
          <textarea
            readOnly
            value={emv ?? ''}
            ref={text}
            onFocus={(event) => event.target.select()}
          />
        </label>
        <button type="button" className="quiet" onClick={copy}>
          Copy
        </button>
        <span role="status">{said}</span>
      </div>
    </div>
  )
}
