/**
 * Acts whenever an element comes into sight, until the returned function is called. A busy browser reports several changes at
 * once, the oldest first: an element that came into sight last may have no further change.
 */
export function whenInSight(
  element: Element,
  act: () => void,
  options: IntersectionObserverInit,
): () => void {
  const observer = new IntersectionObserver((entries) => {
    if (entries.some(({ isIntersecting }) => isIntersecting)) act();
  }, options);
  observer.observe(element);
  return () => observer.disconnect();
}
