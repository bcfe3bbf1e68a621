from decimal import Decimal

from oscar.apps.shipping import methods, repository


class Standard(methods.FixedPrice):
    code = "standard"
    name = "Standard, 3 to 5 working days"
    description = "Parcels leave the workshop on Tuesdays and Fridays."
    charge_excl_tax = charge_incl_tax = Decimal("4.90")


class Express(methods.FixedPrice):
    code = "express"
    name = "Express, next working day"
    description = "For orders placed before noon."
    charge_excl_tax = charge_incl_tax = Decimal("11.50")


class Collect(methods.Free):
    code = "collect"
    name = "Collect from the studio"
    description = "Ready after two hours, Monday to Saturday."


class Repository(repository.Repository):
    methods = (Standard(), Express(), Collect())
