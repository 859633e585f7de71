// The switch "Show assumptions" of every page: marks become badges that say what is assumed. The choice is remembered.
const KEY = 'show-assumptions'
const root = document.documentElement
const isShown = () => localStorage.getItem(KEY) === 'yes'

function apply() {
  root.classList.toggle('show-assumptions', isShown())
  for (const button of document.querySelectorAll('[data-assumptions]')) {
    button.setAttribute('aria-pressed', String(isShown()))
  }
}

apply()
document.addEventListener('DOMContentLoaded', apply)
document.addEventListener('click', ({ target }) => {
  if (!(target instanceof Element) || !target.closest('[data-assumptions]')) return
  localStorage.setItem(KEY, isShown() ? 'no' : 'yes')
  apply()
})
