/** Keys beside what they do. Who cannot see them is told by `aria-keyshortcuts`, or in the list of all keys. */
export function Keys({ keys }: { keys: string }) {
  return (
    <span className="keys" aria-hidden="true">
      <kbd>{keys}</kbd>
    </span>
  );
}
