import type { LucideIcon } from "lucide-react";
import type { ReactNode } from "react";

interface EmptyStateProps {
  icon: LucideIcon;
  title: string;
  /** What it is for, and what to do about it. */
  children?: ReactNode;
  action?: ReactNode;
}

/** Stands where a list has nothing: what would be there, and how it comes to be. */
export function EmptyState({ icon: Icon, title, children, action }: EmptyStateProps) {
  return (
    <div className="empty">
      <Icon className="empty-icon" aria-hidden="true" />
      <h2>{title}</h2>
      {children !== undefined && <div className="empty-text">{children}</div>}
      {action}
    </div>
  );
}
