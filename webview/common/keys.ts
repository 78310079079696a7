/** Runs when Escape is pressed inside the element and nothing in there has used the key already. */
export function onEscape(element: HTMLElement, run: () => void): void {
  element.addEventListener('keydown', (event) => {
    if (event.key !== 'Escape' || event.defaultPrevented || isOpenList(event.target)) return;
    event.preventDefault();
    event.stopPropagation();
    run();
  });
}

/** A drop-down that is open uses Escape to close. */
function isOpenList(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.closest('[open]') !== null;
}

/** Runs when Ctrl+Enter or Cmd+Enter is pressed, once a press, where no text is being typed. */
export function onSubmitKey(element: HTMLElement, run: () => void): void {
  element.addEventListener('keydown', (event) => {
    const isKey = event.key === 'Enter' && (event.ctrlKey || event.metaKey);
    if (!isKey || event.repeat || !event.isTrusted || event.defaultPrevented || takesText(event)) return;
    event.preventDefault();
    event.stopPropagation();
    run();
  });
}

function takesText(event: KeyboardEvent): boolean {
  const [target] = event.composedPath();
  return target instanceof HTMLElement && ['INPUT', 'TEXTAREA', 'SELECT'].includes(target.tagName);
}
