"""Whether a start has penetration to resolve."""

from vinculum.errors import MethodError
from vinculum.models.model import Model
from vinculum.simulation.options import Options


def check_resolvable(model: Model, options: Options) -> None:
    """Refuse ``resolve=True`` where nothing meets."""
    if options.resolve and not model.is_bounded:
        raise MethodError(f"resolve=True separates bodies in contact, and '{model.name}' has no contact; leave it out")
