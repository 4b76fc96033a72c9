/** The name and its sign, a small gate. */
export function Mark() {
  return (
    <span className="mark">
      <svg viewBox="0 0 32 32" aria-hidden="true">
        <rect width="32" height="32" rx="7" className="mark-wall" />
        <path d="M8 26V14a8 8 0 0 1 16 0v12" className="mark-arch" />
        <path d="M11.5 26V14.5a4.5 4.5 0 0 1 9 0V26z" className="mark-door" />
      </svg>
      Postern
    </span>
  );
}
