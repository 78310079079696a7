import { childrenOf, itemsIn, parentOf, rowOf, shownChildrenOf } from './treeRows.ts';

/** What a key does in a tree (WAI-ARIA, "Tree View Pattern"). */
export type TreeStep =
  | { readonly kind: 'none' | 'fold' | 'unfold' | 'press' }
  | { readonly kind: 'go'; readonly item: HTMLLIElement };

const none: TreeStep = { kind: 'none' };

/** Decides what a key on this item of the tree does. */
export function moveInTree(tree: HTMLElement, item: HTMLLIElement, key: string): TreeStep {
  const expanded = rowOf(item).getAttribute('aria-expanded');
  const [first] = itemsIn(tree);
  switch (key) {
    case 'ArrowDown':
      return go(next(tree, item));
    case 'ArrowUp':
      return go(previous(tree, item));
    case 'ArrowRight':
      if (expanded === 'false') return { kind: 'unfold' };
      return expanded === 'true' ? go(childrenOf(item)[0]) : none;
    case 'ArrowLeft':
      return expanded === 'true' ? { kind: 'fold' } : go(parentOf(tree, item));
    case 'Home':
      return go(first);
    case 'End':
      return go(last(first));
    case 'Enter':
    case ' ':
      return { kind: 'press' };
    default:
      return none;
  }
}

function go(item: HTMLLIElement | undefined): TreeStep {
  // A key that leads nowhere must not scroll the page either.
  return item === undefined ? { kind: 'none' } : { kind: 'go', item };
}

function next(tree: HTMLElement, item: HTMLLIElement): HTMLLIElement | undefined {
  const [child] = shownChildrenOf(item);
  if (child !== undefined) return child;
  for (let at: HTMLLIElement | undefined = item; at !== undefined; at = parentOf(tree, at)) {
    if (at.nextElementSibling instanceof HTMLLIElement) return at.nextElementSibling;
  }
  return undefined;
}

function previous(tree: HTMLElement, item: HTMLLIElement): HTMLLIElement | undefined {
  const before = item.previousElementSibling;
  return before instanceof HTMLLIElement ? last(before) : parentOf(tree, item);
}

/** The lowest row of an item, itself if it is folded. */
function last(item: HTMLLIElement | undefined): HTMLLIElement | undefined {
  let lowest = item;
  while (lowest !== undefined) {
    const child: HTMLLIElement | undefined = shownChildrenOf(lowest).at(-1);
    if (child === undefined) break;
    lowest = child;
  }
  return lowest;
}
